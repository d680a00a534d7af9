import { queryOptions } from '@tanstack/react-query';
import type { Deposit } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import { type Cents, centsFromWire } from '@/lib/money';
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

export const sumOf = (deposits: readonly Deposit[]): Cents =>
  deposits.reduce((sum, { claimedAmount }) => sum + centsFromWire(claimedAmount), 0);
