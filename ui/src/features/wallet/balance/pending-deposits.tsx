import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Deposit } from '@/api/contract';
import { CODE } from '@/components/classes';
import { LoadFailed } from '@/components/load-failed';
import { Section } from '@/components/section';
import { CHECKING_LIST } from '@/entities/wallet/checking-line';
import { pendingDepositsQuery } from '@/entities/wallet/deposits';
import { RequestBadge } from '@/entities/wallet/request-badge';
import { useTexts } from '@/i18n';
import { checking } from '@/i18n/en/checking';
import { khata } from '@/i18n/en/khata';
import { centsFromWire, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';

function Pending({ deposit }: { deposit: Deposit }) {
  const t = useTexts(checking);
  const tKhata = useTexts(khata);
  const { _id, claimedAmount, paymentMethod, transactionId, createdAt, status } = deposit;
  return (
    <li
      data-slot="pending-deposit"
      className="relative flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b py-3 hover:bg-muted"
    >
      <div className="min-w-0">
        <Link
          to="/balance/deposits/$depositId"
          params={{ depositId: _id }}
          className="font-semibold after:absolute after:inset-0"
        >
          {t('row', { sum: usd(centsFromWire(claimedAmount)), method: tKhata(`method.${paymentMethod}`) })}
        </Link>
        <p className="text-sm text-muted-foreground">
          <span className={CODE}>{transactionId}</span> · {t('since', { when: formatTime(createdAt, 'moment') })}
        </p>
      </div>
      <RequestBadge status={status} />
    </li>
  );
}

export function PendingDeposits() {
  const t = useTexts(checking);
  const { data, error, isError, isFetching, refetch } = useQuery(pendingDepositsQuery);
  const deposits = data?.deposits ?? [];
  if (deposits.length === 0 && !isError) return null;
  return (
    <div id={CHECKING_LIST} className="scroll-mt-20">
      <Section title={t('title')} className="mt-12">
        {isError ? <LoadFailed error={error} text={t('failed')} busy={isFetching} onRetry={() => void refetch()} /> : null}
        <ul>
          {deposits.map((deposit) => (
            <Pending key={deposit._id} deposit={deposit} />
          ))}
        </ul>
      </Section>
    </div>
  );
}
