import type { AdminDeposit, AdminDeposits, AdminDrift, AdminPayment, AdminReceiver, AdminWithdrawals } from '@/api/contract';
import { failing, loading, opened, patched, type Scene, still } from './scene';

const ROW = '[id^=row-]';
const KARIM = { _id: '00000000-0000-7000-8000-00000000000a', username: 'karim_the_second', profilePic: '', isStaff: false };
const AT = '2026-01-02T04:00:00Z';

/** The queue of deposits with more complex rows. */
const deposits = (name: string, over: (row: AdminDeposit) => Partial<AdminDeposit>): Scene =>
  patched(opened('admin', name, '/admin/deposit', ROW), '/admin/deposits*', (page: AdminDeposits) => ({
    ...page,
    deposits: page.deposits.map((row) => ({ ...row, ...over(row) })),
  }));

const disputed = ({ claimedAmount }: AdminDeposit): Partial<AdminDeposit> => ({
  disputed: true,
  disputes: [
    {
      ...{ _id: 'a', user: KARIM, isVerified: false, userSince: AT, paymentMethod: 'Nagad' },
      ...{ amount: claimedAmount, status: 'pending', createdAt: AT },
    },
  ],
});

const proposed = (): Partial<AdminDeposit> => ({
  awaitingConfirmation: { amount: 1500, reason: 'The provider shows more than was reported.', by: KARIM, at: AT },
});

/** The dialog of a rejection, with its usual reasons. */
const rejecting: Scene = {
  ...opened('admin', 'admin-deposit-reject', '/admin/deposit', ROW),
  act: async (page) => {
    await page.locator(ROW).first().click();
    await page.locator('[data-slot="drawer"] [data-variant="destructive"]').click();
    await page.locator('[role=alertdialog]').waitFor();
  },
};

const held = (page: AdminWithdrawals) => ({
  ...page,
  withdrawals: page.withdrawals.map((row) => ({
    ...row,
    ...{ onHold: true, heldUntil: '2099-11-19T04:54:00Z', isVerified: false, sentToNumber: 0 },
    heldReasons: ['new_number', 'password_reset', 'new_browser'],
  })),
});

const SHOP: AdminReceiver = {
  ...{ _id: 'a', phone: 'shop', sim: 1, paymentMethod: 'Bkash', balance: 60_484.5 },
  ...{ works: true, heardAt: AT, brokenAt: null },
};
const receivers: AdminReceiver[] = [
  SHOP,
  { ...SHOP, _id: 'b', sim: 2, balance: null, works: false, brokenAt: AT },
  { ...SHOP, _id: 'c', phone: 'office', sim: 0, paymentMethod: 'Nagad', balance: 700, works: false },
];

const drift: AdminDrift[] = [
  {
    ...{ paymentMethod: 'Bkash', balance: 60_484.5, booked: 51_000, unknown: 1 },
    reasons: [
      { reason: 'opening', amount: 10_000 },
      { reason: 'fees', amount: -15 },
      { reason: 'unexplained', amount: -500.5 },
    ],
  },
  { paymentMethod: 'Nagad', balance: 700, booked: 700, unknown: 0, reasons: [] },
];

/** A payment in each state. */
const payments = () => {
  const user = KARIM;
  const list: Partial<AdminPayment>[] = [
    { state: 'unclaimed' },
    { state: 'credited', user },
    { state: 'sent', outgoing: true, user },
    { state: 'left', outgoing: true },
    { state: 'own', outgoing: true },
    { state: 'held' },
    { state: 'ignored', party: 'BKASH-OFFER' },
    { state: 'unread', outgoing: null, amount: null, party: null, at: null, text: 'Offer: 50% off on your next recharge.' },
  ];
  const rows = list.map(
    (over, index) =>
      ({
        ...{ _id: String(index), receiver: SHOP, forwardedAt: AT, text: null, outgoing: false },
        ...{ amount: 6150, party: '01912345678', at: AT, user: null, ...over },
      }) as AdminPayment,
  );
  return { page: 1, pages: 1, total: rows.length, payments: rows };
};

const ofPhones = (scene: Scene): Scene =>
  patched(
    patched(
      patched(scene, '/admin/receivers', () => receivers),
      '/admin/drift',
      () => drift,
    ),
    '/admin/payments*',
    payments,
  );

/** An admin who needs a second factor and has none. */
const withoutFactor: Scene = {
  ...still('admin', 'admin-factor-missing', '/admin/users'),
  before: (page) =>
    page.route('**/api/admin/**', (route) =>
      route.fulfill({ status: 403, json: { code: 'second_factor_missing', message: 'Set up two-step login first.' } }),
    ),
};

/** The admins' queues and reviews. */
export const admins = {
  '/admin/users': [still('admin', 'admin-users', '/admin/users'), withoutFactor],
  '/admin/deposit': [
    still('admin', 'admin-deposit', '/admin/deposit'),
    deposits('admin-deposit-disputed', disputed),
    deposits('admin-deposit-proposal', proposed),
    rejecting,
  ],
  '/admin/payments': [
    still('admin', 'admin-payments', '/admin/payments'),
    ofPhones(still('admin', 'admin-payments-all', '/admin/payments')),
    ofPhones(opened('admin', 'admin-payments-balance', '/admin/payments', 'main [aria-describedby]')),
    loading('admin', 'admin-payments', '/admin/payments', '/admin/payments*'),
    failing('admin', 'admin-payments', '/admin/payments', '/admin/payments*'),
  ],
  '/admin/withdrawal': [
    still('admin', 'admin-withdrawal', '/admin/withdrawal'),
    opened('admin', 'admin-withdrawal-review', '/admin/withdrawal', ROW),
    patched(opened('admin', 'admin-withdrawal-held', '/admin/withdrawal', ROW), '/admin/withdrawals*', held),
  ],
  '/admin/support-requests': [
    still('admin', 'admin-support', '/admin/support-requests'),
    opened('admin', 'admin-support-review', '/admin/support-requests', ROW),
  ],
};
