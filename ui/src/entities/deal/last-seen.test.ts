import { describe, expect, it } from 'vitest';
import type { User } from '@/api/contract';
import { keys } from '@/entities/keys';
import { walletQuery } from '@/entities/wallet/queries';
import { noteServerTime, serverNow } from '@/lib/server-clock';
import { claimStorage, clearStorage, LAST_SEEN } from '@/lib/storage-owner';
import { queryClient } from '@/testing/query-client';
import { aDeal, nusrat } from '@/testing/server';
import { keepLastSeen } from './keep-last-seen';
import { readLastSeen } from './last-seen';
import { unfinishedDealsQuery } from './queries';

const HOUR = 60 * 60 * 1_000;
const wallet = (sum: number) => ({ wallet: sum, inEscrow: 480, inEscrowSales: 0, pendingWithdrawal: 0, minWithdrawal: 1 });
const be = (user: User | null) => queryClient.setQueryData(keys.me, user);
const has = (sum: number) => queryClient.setQueryData(walletQuery.queryKey, wallet(sum));

function start() {
  be(nusrat);
  keepLastSeen(queryClient);
}

describe('what was seen last', () => {
  it('is the balance and the open deals, each with its time', () => {
    start();
    const before = Date.now();
    has(212.4);
    queryClient.setQueryData(unfinishedDealsQuery.queryKey, {
      rows: [
        aDeal({ status: 'Active' }),
        aDeal({ _id: 'd-2', description: 'Second\nline', seller: aDeal().buyer, buyer: aDeal().seller }),
      ],
      total: 2,
    });
    const seen = readLastSeen();
    expect(seen?.balance?.value).toEqual({ own: 21_240, inEscrow: 48_000 });
    expect(seen?.deals?.value).toEqual({
      rows: [
        { _id: 'd-1', title: 'Ranna Ghor 24', status: 'Active', price: 48_000, other: 'tanvir' },
        { _id: 'd-2', title: 'Second', status: 'Pending', price: 48_000, other: 'tanvir' },
      ],
      total: 2,
    });
    expect(Math.abs((seen?.balance?.at ?? 0) - before)).toBeLessThan(HOUR);
  });

  it('is what there was before the page began to keep it, and what comes after', () => {
    has(1);
    start();
    expect(readLastSeen()?.balance?.value.own).toBe(100);
    has(2);
    expect(readLastSeen()?.balance?.value.own).toBe(200);
    expect(readLastSeen()?.deals).toBeNull();
  });

  it('is no longer shown once the session must have ended', () => {
    start();
    has(212.4);
    expect(readLastSeen(Date.now() + 23 * HOUR)).not.toBeNull();
    expect(readLastSeen(Date.now() + 25 * HOUR)).toBeNull();
  });

  it('is shown on a device whose clock is wrong, with the time by the clock of the server', () => {
    noteServerTime(new Date(Date.now() + 50 * HOUR).toUTCString(), Date.now());
    start();
    has(212.4);
    const seen = readLastSeen();
    expect(seen?.balance?.value.own).toBe(21_240);
    expect(Math.abs((seen?.balance?.at ?? 0) - serverNow())).toBeLessThan(HOUR);
  });

  it('goes with the session, and nothing that comes later is kept', () => {
    start();
    has(212.4);
    be(null);
    expect(localStorage.getItem(LAST_SEEN)).toBeNull();
    has(1);
    expect(localStorage.getItem(LAST_SEEN)).toBeNull();
  });

  it('goes with the logout', () => {
    start();
    has(212.4);
    clearStorage();
    expect(localStorage.getItem(LAST_SEEN)).toBeNull();
  });

  it('is not that of the next user', () => {
    start();
    has(212.4);
    be({ ...nusrat, _id: 'u-tanvir' });
    has(9);
    expect(readLastSeen()).toMatchObject({ owner: nusrat._id, balance: { value: { own: 21_240 } } });
    claimStorage('u-tanvir');
    expect(readLastSeen()).toBeNull();
  });

  it.each(['{', '7', 'null', '{"owner":7}', '{"owner":"u-nusrat","balance":{"at":"x"},"deals":[]}'])(
    'is nothing where it cannot be read: %s',
    (stored) => {
      localStorage.setItem(LAST_SEEN, stored);
      expect(readLastSeen()).toBeNull();
    },
  );
});
