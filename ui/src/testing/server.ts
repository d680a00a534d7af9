import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import type { Deal, Me, SecondFactor, Standing, User, WalletLimits } from '@/api/contract';

/** The standing of a new user. */
export const standing: Standing = {
  wallet: 212.4,
  activeDeals: 0,
  totalPrice: 0,
  completedDeals: 0,
  finishedDeals: 0,
  successScore: null,
  averageRating: null,
  ratingCount: 0,
  reviewCount: 0,
  reviews: [],
};

/** No limits. */
export const noLimits: WalletLimits = {
  ...{ level: 'trusted', perDeal: null, next: null },
  ...{ paid: { limit: null, used: 0 }, withdrawn: { limit: null, used: 0 } },
};

/** Our numbers, as `GET /wallet/receivers` returns them. */
export const receivers = ({ automatic = false, checkout = false } = {}) => [
  { paymentMethod: 'Bkash', number: '01711482390', automatic, checkout, room: null, fullUntil: null },
  { paymentMethod: 'Nagad', number: '01811482390', automatic: false, checkout: false, room: null, fullUntil: null },
];

/** An SMS is enough to credit deposits by bKash. Returns what the user's code was asked for. */
export function automaticBkash(): unknown[] {
  const aims: unknown[] = [];
  server.use(
    http.get('*/api/wallet/receivers', () => HttpResponse.json(receivers({ automatic: true }))),
    http.post('*/api/wallet/payment-code', async ({ request }) => {
      aims.push(await request.json());
      return HttpResponse.json({ code: 'H7K2MQ' });
    }),
  );
  return aims;
}

/** Limits of a new account by the price of a deal. */
export function newAccountsBuyUpTo(perDeal: number): void {
  const needs = [{ kind: 'account_age' as const, have: 0, need: 1 }];
  const next = { ...{ level: 'basic' as const, perDeal: 1_000, paid: 3_000, withdrawn: 1_000 }, needs };
  server.use(http.get('*/api/wallet/limits', () => HttpResponse.json({ ...noLimits, level: 'new', perDeal, next })));
}

/**
 * The API of the tests: nobody is signed in and everything is empty, unless a test calls
 * `server.use`.
 */
export const server = setupServer(
  http.get('*/api/auth/check', () => HttpResponse.json({ message: 'Please log in.', code: 'unauthenticated' }, { status: 401 })),
  http.get('*/api/exchange-rate', () => HttpResponse.json({ usdToBdt: 122.4 })),
  http.get('*/api/public/chat-warnings', () => HttpResponse.json({ words: ['send money', 'বিকাশ করেন'] })),
  http.get('*/api/public/pauses', () => HttpResponse.json({ paused: [] })),
  http.get('*/api/public/public-stats', () =>
    HttpResponse.json({ totalUsers: 1, totalDepositAmount: 100.5, userOffset: 12499, usdOffset: 45499 }),
  ),
  http.get('*/api/wallet', () =>
    HttpResponse.json({ wallet: 212.4, inEscrow: 0, inEscrowSales: 0, pendingWithdrawal: 0, minWithdrawal: 1 }),
  ),
  http.get('*/api/dashboard', () => HttpResponse.json(standing)),
  http.get('*/api/notifications/unread-status', () => HttpResponse.json({ success: true, hasUnread: false })),
  http.get('*/api/messages/unread-dot', () => HttpResponse.json({ hasUnread: false })),
  http.get('*/api/deals/my-deals', () => HttpResponse.json([])),
  http.get('*/api/deals/totals', () => HttpResponse.json({ statuses: [], completed: [] })),
  http.get('*/api/invites', () => HttpResponse.json([])),
  http.get('*/api/deals/:id/proof', () => HttpResponse.json({ shown: false, code: null, changedBy: null, changedAt: null })),
  http.get('*/api/auth/activity', () => HttpResponse.json([])),
  http.get('*/api/posts/saved/ids', () => HttpResponse.json([])),
  http.post('*/api/posts/:id/seen', () => HttpResponse.json({ counted: true })),
  http.get('*/api/users/blocked', () => HttpResponse.json([])),
  http.get('*/api/users/:id/relation', () => HttpResponse.json({ block: 'none' })),
  http.get('*/api/auth/data-export', () => HttpResponse.json({ export: null })),
  http.get('*/api/auth/close', () => HttpResponse.json({ blockers: [], openDeals: 0, pendingMoney: 0, balance: 0 })),
  http.get('*/api/deposits/pending', () =>
    HttpResponse.json({
      deposits: [],
      wait: { usualMinutes: null, from: '09:00', to: '23:00', open: true, nextOpenAt: null },
    }),
  ),
  http.get('*/api/wallet/limits', () => HttpResponse.json(noLimits)),
  http.get('*/api/wallet/receivers', () => HttpResponse.json(receivers())),
  http.get('*/api/wallet/payout-numbers', () => HttpResponse.json({ numbers: [] })),
);

export const nusrat: User = {
  _id: 'u-nusrat',
  username: 'nusrat',
  email: 'nusrat@example.com',
  profilePic: '',
  isStaff: false,
  isAdmin: false,
  isVerified: true,
  wallet: 212.4,
  createdAt: '2026-06-01T00:00:00Z',
  language: 'en',
  secondFactor: false,
  terms: { acceptedVersion: '2026-11-01', acceptedAt: '2026-11-01T00:00:00Z', currentVersion: '2026-11-01' },
  eventSeq: 0,
};

/** Nusrat's private data. */
export const nusratsAccount: Me = { ...nusrat, referralCode: 'k7q2', mailNotices: true, pendingEmail: null };

/** No second factor, and none required. */
export const noFactor: SecondFactor = { totp: false, passkeys: [], backupCodesLeft: 0, required: false };

/** All further calls have the session of this user. */
export function signedInAs(user: User): void {
  server.use(http.get('*/api/auth/check', () => HttpResponse.json(user)));
}

/** A deal between Nusrat (buyer) and Tanvir (seller). */
export function aDeal(over: Partial<Deal> = {}): Deal {
  return {
    _id: 'd-1',
    buyer: { _id: nusrat._id, username: nusrat.username, profilePic: '', isStaff: false },
    seller: { _id: 'u-tanvir', username: 'tanvir', profilePic: '', isStaff: false },
    price: 480,
    description: 'Ranna Ghor 24',
    deliveryDuration: 14,
    status: 'Pending',
    createdAt: '2026-11-08T04:02:00Z',
    dueAt: '2026-11-22T04:02:00Z',
    acceptedAt: '2026-11-08T04:02:00Z',
    activatedAt: null,
    deliveredAt: null,
    closedAt: null,
    delivered: false,
    cancellationRequested: false,
    cancellationDeclined: false,
    reviewGiven: false,
    inspectionDays: 3,
    nextAction: null,
    nextActionAt: null,
    frozen: false,
    escalated: false,
    escalatedAt: null,
    suspended: false,
    suspendedAt: null,
    buyerSuspended: false,
    sellerSuspended: false,
    exitAt: null,
    requestsLeft: 3,
    closeReason: null,
    refund: null,
    fee: 9.6,
    payout: 470.4,
    terms: 1,
    counterofferBy: null,
    ...over,
  };
}
