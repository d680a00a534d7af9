import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { PayoutNumber } from '@/api/contract';
import { STACK } from '@/components/classes';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { DialogPanel } from '@/components/dialog-panel';
import { Failure } from '@/components/failure';
import { Fold } from '@/components/fold';
import { FormField } from '@/components/form-field';
import { FormFooter } from '@/components/form-footer';
import { PendingButton } from '@/components/pending-button';
import { QueryPart } from '@/components/query-part';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Input } from '@/components/ui/input';
import { groupedPhone } from '@/entities/wallet/mobile-money';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useReturnFocus } from '@/hooks/use-focus';
import { type Key, useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { payout } from '@/i18n/en/wallet';
import { isApiError } from '@/lib/errors';
import { localDigits } from '@/lib/money';
import { lengthOf } from '@/lib/rules';
import { formatTime } from '@/lib/time';
import { MethodMark } from '../request/method-tile';
import { MAX_NUMBER_NAME } from '../request/schemas';
import { payoutNumbersQuery, useRemoveNumber, useRenameNumber } from './payout-numbers';

const say = (key: Key<typeof payout>): Key<typeof payout> => key;

/** docs/rules.md#payout-numbers */
const nameSchema = z.object({
  name: z.string().check(
    z.trim(),
    z.minLength(1, { error: say('nameRequired'), abort: true }),
    z.refine((name) => lengthOf(name) <= MAX_NUMBER_NAME, say('nameLong')),
  ),
});

type Props = { number: PayoutNumber; onClose: () => void };

function RenameForm({ number, onClose }: Props) {
  const t = useTexts(payout);
  const rename = useRenameNumber(number._id, onClose);
  const { form, submit, errorOf } = useDraftForm({
    schema: nameSchema,
    t,
    empty: { name: number.name },
    toast: null,
    mutation: rename,
    onSubmit: (values) => rename.mutateAsync(values),
  });
  const placed = isApiError(rename.error) && rename.error.fields.name !== undefined;
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      <FormField label={t('name')} error={errorOf('name')} live>
        {(control) => <Input autoComplete="off" {...control} {...form.register('name')} />}
      </FormField>
      <Failure error={placed ? null : rename.error} />
      <FormFooter pending={rename.isPending} onCancel={onClose}>
        {t('rename.submit')}
      </FormFooter>
    </form>
  );
}

function Rename({ number, onClose }: Props) {
  const t = useTexts(payout);
  const focus = useReturnFocus();
  return (
    <Dialog open onOpenChange={(open) => (open ? null : onClose())}>
      <DialogPanel
        title={t('rename.title', { number: localDigits(groupedPhone(number.phoneNumber)) })}
        onOpenAutoFocus={focus.remember}
        onCloseAutoFocus={focus.giveBack}
      >
        <RenameForm number={number} onClose={onClose} />
      </DialogPanel>
    </Dialog>
  );
}

function Remove({ number, onClose }: Props) {
  const t = useTexts(payout);
  const tKhata = useTexts(khata);
  const { mutate, isPending, error } = useRemoveNumber(number._id, onClose);
  const { name, paymentMethod, phoneNumber } = number;
  return (
    <ConfirmDialog
      busy={isPending}
      onClose={onClose}
      title={t('remove.title', { name })}
      text={t('remove.text', { method: tKhata(`method.${paymentMethod}`), number: localDigits(groupedPhone(phoneNumber)) })}
      error={error}
      action={
        <PendingButton variant="destructive" pending={isPending} onClick={() => mutate()}>
          {t('remove.yes')}
        </PendingButton>
      }
      cancel={t('remove.no')}
    />
  );
}

type NumberTask = { task: 'rename' | 'remove'; number: PayoutNumber };

function NumberDialogs({ open: { task, number }, onClose }: { open: NumberTask; onClose: () => void }) {
  return task === 'rename' ? <Rename number={number} onClose={onClose} /> : <Remove number={number} onClose={onClose} />;
}

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

/** A row of /balance; nothing for those who have saved none. */
export default function SavedNumbers() {
  const t = useTexts(payout);
  const [task, setTask] = useState<NumberTask | null>(null);
  return (
    <QueryPart query={useQuery(payoutNumbersQuery)} skeleton={null}>
      {({ numbers }) =>
        numbers.length === 0 ? null : (
          <Fold title={t('title')} late>
            <ul>
              {numbers.map((number) => (
                <Line key={number._id} number={number} onTask={setTask} />
              ))}
            </ul>
            {task ? <NumberDialogs open={task} onClose={() => setTask(null)} /> : null}
          </Fold>
        )
      }
    </QueryPart>
  );
}
