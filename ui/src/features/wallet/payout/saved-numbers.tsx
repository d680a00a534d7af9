import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PayoutNumber } from '@/api/contract';
import { LoadFailed } from '@/components/load-failed';
import { Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { groupedPhone } from '@/entities/wallet/mobile-money';
import { useTexts } from '@/i18n';
import { payout } from '@/i18n/en/payout';
import { localDigits } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { MethodMark } from '../request/method-tile';
import { NumberDialogs, type NumberTask } from './number-dialogs';
import { payoutNumbersQuery } from './payout-numbers';

function Line({ number, onTask }: { number: PayoutNumber; onTask: (task: NumberTask) => void }) {
  const t = useTexts(payout);
  const { name, paymentMethod, phoneNumber, lastSentAt } = number;
  const button = (task: NumberTask['task']) => (
    <Button variant="ghost" aria-label={t('of', { action: t(task), name })} onClick={() => onTask({ task, number })}>
      {t(task)}
    </Button>
  );
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b py-3 wrap-anywhere">
      <div className="flex min-w-0 flex-[1_1_220px] items-center gap-3">
        <MethodMark method={paymentMethod} />
        <p className="min-w-0">
          <b className="font-semibold">{name}</b>
          <br />
          <span className="text-sm text-muted-foreground lining-nums tabular-nums">
            {localDigits(groupedPhone(phoneNumber))} ·{' '}
            {lastSentAt === null ? t('neverSent') : t('lastSent', { when: formatTime(lastSentAt, 'day') })}
          </span>
        </p>
      </div>
      <div className="-mx-3 flex flex-wrap">
        {button('rename')}
        {button('remove')}
      </div>
    </li>
  );
}

export default function SavedNumbers() {
  const t = useTexts(payout);
  const [task, setTask] = useState<NumberTask | null>(null);
  const { data, error, isError, isFetching, refetch } = useQuery(payoutNumbersQuery);
  if (!data && !isError) return null;
  if (data?.numbers.length === 0) return null;
  return (
    <Section title={t('title')} className="mt-12">
      {data ? (
        <ul>
          {data.numbers.map((number) => (
            <Line key={number._id} number={number} onTask={setTask} />
          ))}
        </ul>
      ) : (
        <LoadFailed error={error} fallback={t('failed')} busy={isFetching} onRetry={() => void refetch()} />
      )}
      {task ? <NumberDialogs open={task} onClose={() => setTask(null)} /> : null}
    </Section>
  );
}
