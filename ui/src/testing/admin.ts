import type { AdminUser, AdminUserRecord } from '@/api/contract';

/** A user in the admins' list. */
export function aUser(over: Partial<AdminUser> = {}): AdminUser {
  return {
    _id: 'u-sabbir',
    username: 'sabbir',
    profilePic: '',
    isStaff: false,
    email: 'sabbir@example.com',
    isAdmin: false,
    isVerified: true,
    createdAt: '2026-11-01T04:00:00Z',
    disabledAt: null,
    wallet: 212.4,
    inEscrow: 100.5,
    totalDeposited: 500,
    totalWithdrawn: 20,
    totalDeals: 4,
    ...over,
  };
}

/** The user's record, for their own page. */
export const recordOf = (user: AdminUser): AdminUserRecord => ({
  ...user,
  pendingWithdrawal: 40,
  openDeals: 1,
  completedDeals: 2,
  cancelledDeals: 1,
  sessions: user.disabledAt === null ? 3 : 0,
  lastSeenAt: user.disabledAt === null ? '2026-11-20T04:00:00Z' : null,
});
