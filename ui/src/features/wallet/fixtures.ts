import { HttpResponse, http } from 'msw';
import type { Deposit, DepositWait, Operation, WalletHistory, WalletMovement, Withdrawal } from '@/api/contract';
import { aPaper } from '@/testing/papers';
import { nusrat, server } from '@/testing/server';

const user = { _id: nusrat._id, username: nusrat.username, profilePic: '', isStaff: false, email: nusrat.email };

export function aDeposit(over: Partial<Deposit> = {}): Deposit {
  return {
    _id: 'dep-1',
    user,
    amount: 100,
    claimedAmount: 100,
    convertedAmount: 12300,
    rate: 123,
    transactionId: 'CKJ8T2WV5C',
    paymentMethod: 'Bkash',
    actionType: 'deposit',
    status: 'pending',
    reason: null,
    reasonCode: null,
    createdAt: '2026-11-19T04:54:00Z',
    handledAt: null,
    dealId: null,
    paysDeal: false,
    disputed: false,
    expired: false,
    ...over,
  };
}

/** Deposits are checked from 9 to 23, and it is noon. */
export const aWait: DepositWait = { usualMinutes: 27, from: '09:00', to: '23:00', open: true, nextOpenAt: null };

export function aWithdrawal(over: Partial<Withdrawal> = {}): Withdrawal {
  return {
    _id: 'wd-1',
    user,
    amount: 40,
    convertedAmount: 4880,
    rate: 122,
    phonenumber: '01712448840',
    paymentMethod: 'Nagad',
    method: 'Nagad',
    actionType: 'withdraw',
    transactionId: null,
    status: 'pending',
    reason: null,
    requestedAt: '2026-11-17T14:41:00Z',
    handledAt: null,
    cancelledAt: null,
    onHold: false,
    heldUntil: null,
    heldReasons: [],
    confirmedAt: null,
    disownedAt: null,
    ...over,
  };
}

export function aMovement(over: Partial<WalletMovement> = {}): WalletMovement {
  return {
    kind: 'deal_pay',
    subject: 'deal:d-1',
    amount: -100,
    balanceAfter: 400,
    at: '2026-11-19T04:54:00Z',
    reason: null,
    ...over,
  };
}

export function aWalletHistory(over: Partial<WalletHistory> = {}): WalletHistory {
  return { from: '2026-10-22T00:00:00Z', to: '2026-11-21T00:00:00Z', opening: 0, movements: [], complete: true, ...over };
}

export const anOperation: Operation = {
  _id: 'op-1',
  kind: 'withdrawal_hold',
  status: 'pending',
  subject: 'withdrawal:wd-1',
  createdAt: '2026-11-17T14:41:00Z',
};

const paged = { success: true, page: 1, pages: 1, total: 0 };

/** Serves the histories; more rows may be pushed later. */
export function histories(deposits: Deposit[] = [], withdrawals: Withdrawal[] = []) {
  server.use(
    http.get('*/api/auth/deposit/history', () => HttpResponse.json({ ...paged, total: deposits.length, deposits })),
    http.get('*/api/withdraw/history', ({ request }) => {
      const wanted = new URL(request.url).searchParams.get('status');
      const rows = withdrawals.filter(({ status }) => wanted === null || status === wanted);
      return HttpResponse.json({ ...paged, total: rows.length, withdrawals: rows });
    }),
    http.get('*/api/deposits/pending', () =>
      HttpResponse.json({ deposits: deposits.filter(({ status }) => status === 'pending'), wait: aWait }),
    ),
    http.get('*/api/deposits/:id', ({ params }) => {
      const deposit = deposits.find(({ _id }) => _id === params.id);
      return deposit
        ? HttpResponse.json({
            deposit,
            wait: aWait,
            paper: deposit.status === 'completed' ? aPaper({ number: 'P-00AB-12CD-34EF' }) : null,
          })
        : HttpResponse.json({ code: 'not_found', message: 'Deposit not found.' }, { status: 404 });
    }),
    http.get('*/api/wallet/statement', () =>
      HttpResponse.json({ ...paged, opening: 0, closing: 0, in: 0, out: 0, lines: [], paper: aPaper() }),
    ),
    http.get('*/api/wallet/history', () => HttpResponse.json(aWalletHistory())),
  );
  return { deposits, withdrawals };
}
