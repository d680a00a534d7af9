import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Deposit } from '@/api/contract';
import { keys } from '@/entities/keys';
import { useTexts } from '@/i18n';
import { checking } from '@/i18n/en/balance';
import { api, send } from '@/lib/api';
import { type Cents, centsFromWire, usd } from '@/lib/money';
import { pollEvery } from '@/lib/realtime/live';

const WHILE_WAITING = 15_000;

/** The user's deposits awaiting review, newest first, and the usual duration. */
export const pendingDepositsQuery = queryOptions({
  queryKey: [...keys.deposits, 'pending'] as const,
  queryFn: ({ signal }) => send(api.GET('/deposits/pending', { signal })),
  refetchInterval: ({ state }) => (state.data?.deposits.length ? pollEvery(WHILE_WAITING) : false),
  // The components show failures.
  meta: { quiet: true },
});

export const depositQuery = (id: string) =>
  queryOptions({
    queryKey: keys.deposit(id),
    queryFn: ({ signal }) => send(api.GET('/deposits/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.deposit.status === 'pending' ? pollEvery(WHILE_WAITING) : false),
    meta: { quiet: true },
  });

const sumOf = (deposits: readonly Deposit[]): Cents =>
  deposits.reduce((sum, { claimedAmount }) => sum + centsFromWire(claimedAmount), 0);

export const CHECKING_LIST = 'checking';

/** "$100.00 being checked" under the balance, linked to the deposit or the list. */
export function CheckingLine() {
  const t = useTexts(checking);
  const { data } = useQuery(pendingDepositsQuery);
  const deposits = data?.deposits ?? [];
  const [first, ...others] = deposits;
  if (!first) return null;
  const words = t('sum', { sum: usd(sumOf(deposits)) });
  const className = 'inline-flex min-h-11 items-center text-sm text-muted-foreground';
  return (
    <p data-slot="checking" aria-live="polite" className="-my-1.5">
      {others.length === 0 ? (
        <Link to="/balance/deposits/$depositId" params={{ depositId: first._id }} className={className}>
          {words}
        </Link>
      ) : (
        <Link to="/balance" hash={CHECKING_LIST} className={className}>
          {words}
        </Link>
      )}
    </p>
  );
}
