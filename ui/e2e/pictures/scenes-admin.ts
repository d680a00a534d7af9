import type { AdminDeposit, AdminDeposits, AdminWithdrawals } from '@/api/contract';
import { opened, patched, type Scene, still } from './scene';

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
  '/admin/withdrawal': [
    still('admin', 'admin-withdrawal', '/admin/withdrawal'),
    patched(opened('admin', 'admin-withdrawal-held', '/admin/withdrawal', ROW), '/admin/withdrawals*', held),
  ],
  '/admin/support-requests': [
    still('admin', 'admin-support', '/admin/support-requests'),
    opened('admin', 'admin-support-review', '/admin/support-requests', ROW),
  ],
};
