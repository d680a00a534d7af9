import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { Deposit, Withdrawal } from '@/api/contract';
import { CODE } from '@/components/classes';
import { lazyPart } from '@/components/lazy-part';
import { LoadFailed } from '@/components/load-failed';
import { Section } from '@/components/section';
import { CHECKING_LIST, pendingDepositsQuery } from '@/entities/wallet/deposits';
import { RequestBadge } from '@/entities/wallet/request-badge';
import { useTexts } from '@/i18n';
import { checking } from '@/i18n/en/balance';
import { depositFollow } from '@/i18n/en/deposit';
import { khata } from '@/i18n/en/khata';
import { wallet } from '@/i18n/en/wallet';
import { centsFromWire, usd } from '@/lib/money';
import { serverNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import { pendingWithdrawalsQuery, recentDepositsQuery, useLoadFailure } from '../queries';
import { NotMineDialog, PendingWithdrawal } from './pending-withdrawals';

const ConfirmWithdrawal = lazyPart(
  () => import('./confirm-withdrawal-dialog'),
  ({ onClose }) => onClose(),
);

/** A deposit being checked, or not credited, with the reason. Its page says what to do. */
function DepositRow({ deposit }: { deposit: Deposit }) {
  const t = useTexts(checking);
  const tFollow = useTexts(depositFollow);
  const tKhata = useTexts(khata);
  const { _id, claimedAmount, paymentMethod, transactionId, createdAt, status, reasonCode } = deposit;
  return (
    <li
      data-slot="pending-deposit"
      className="relative flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b py-3 hover:bg-muted"
    >
      <div className="min-w-0 wrap-anywhere">
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
        {status === 'Failed' ? <p className="text-sm">{tFollow(`why.${reasonCode ?? 'other'}`)}</p> : null}
      </div>
      <RequestBadge status={status} />
    </li>
  );
}

const WEEK = 7 * 24 * 60 * 60_000;

/** Whether a deposit failed within a week, not by its owner's wish. */
const failedLately = ({ status, reasonCode, handledAt }: Deposit): boolean =>
  status === 'Failed' && reasonCode !== 'retracted' && handledAt !== null && serverNow() - Date.parse(handledAt) < WEEK;

/** What moves or waits, and what failed lately. Empty for most users. */
export function Pending() {
  const t = useTexts(wallet);
  const queries = [useQuery(pendingDepositsQuery), useQuery(recentDepositsQuery), useQuery(pendingWithdrawalsQuery)] as const;
  const [checked, recent, sending] = queries;
  useLoadFailure(recent, t('historyFailed'));
  useLoadFailure(sending, t('historyFailed'));
  // The dialogs outlive the row of a cancelled or handled withdrawal.
  const [notMine, setNotMine] = useState<string | null>(null);
  const [confirmed, setConfirmed] = useState<Withdrawal | null>(null);
  const deposits = [...(checked.data?.deposits ?? []), ...(recent.data?.deposits.filter(failedLately) ?? [])];
  const withdrawals = sending.data?.withdrawals ?? [];
  // One that is being retried has no error, but its note stays.
  const failed = queries.filter(({ data, errorUpdateCount }) => data === undefined && errorUpdateCount > 0);
  return (
    <>
      {deposits.length + withdrawals.length + failed.length === 0 ? null : (
        <div id={CHECKING_LIST} className="scroll-mt-20">
          <Section title={t('pending.title')} className="mt-8">
            {failed[0] ? (
              <LoadFailed
                error={failed[0].error}
                text={t('historyFailed')}
                said={!checked.isLoadingError}
                busy={failed.some(({ isFetching }) => isFetching)}
                onRetry={() => failed.forEach(({ refetch }) => void refetch())}
              />
            ) : null}
            <ul className="grid min-w-0 *:min-w-0">
              {deposits.map((deposit) => (
                <DepositRow key={deposit._id} deposit={deposit} />
              ))}
              {withdrawals.map((withdrawal) => (
                <PendingWithdrawal
                  key={withdrawal._id}
                  withdrawal={withdrawal}
                  onConfirm={() => setConfirmed(withdrawal)}
                  onNotMine={() => setNotMine(withdrawal._id)}
                />
              ))}
            </ul>
          </Section>
        </div>
      )}
      {confirmed === null ? null : (
        <Suspense>
          <ConfirmWithdrawal withdrawal={confirmed} onClose={() => setConfirmed(null)} />
        </Suspense>
      )}
      {notMine === null ? null : <NotMineDialog id={notMine} onClose={() => setNotMine(null)} />}
    </>
  );
}
