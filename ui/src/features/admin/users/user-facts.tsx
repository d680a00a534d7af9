import { Link } from '@tanstack/react-router';
import { MessagesSquare, ScrollText, SquarePen, UserRound } from 'lucide-react';
import type { AdminUser, AdminUserRecord } from '@/api/contract';
import { CopyButton } from '@/components/copy-button';
import { Facts, Section } from '@/components/section';
import { buttonVariants } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { useMe } from '@/entities/user/queries';
import { UserAvatar } from '@/entities/user/user-avatar';
import { useTexts } from '@/i18n';
import { adminUsers } from '@/i18n/en/admin-users';
import { centsFromWire, count, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { UserState } from './user-state';

const money = (amount: number): string => usd(centsFromWire(amount));

function Ways({ user }: { user: AdminUser }) {
  const t = useTexts(adminUsers);
  const me = useMe();
  return (
    <nav className="flex flex-wrap gap-x-5 gap-y-1" aria-label={t('ways')}>
      {user.closed ? null : (
        <Link
          className={buttonVariants({ variant: 'link', className: 'min-h-8 text-md' })}
          to="/profile/$username"
          params={{ username: user.username }}
        >
          <UserRound className="size-4" aria-hidden="true" /> {t('profile')}
        </Link>
      )}
      <Link
        className={buttonVariants({ variant: 'link', className: 'min-h-8 text-md' })}
        to="/admin/chat"
        search={{ one: user._id }}
      >
        <MessagesSquare className="size-4" aria-hidden="true" /> {t('messages')}
      </Link>
      <Link
        className={buttonVariants({ variant: 'link', className: 'min-h-8 text-md' })}
        to="/admin/audit"
        search={{ subject: `user:${user._id}` }}
      >
        <ScrollText className="size-4" aria-hidden="true" /> {t('audit')}
      </Link>
      {user.closed || user._id === me._id ? null : (
        <Link
          className={buttonVariants({ variant: 'link', className: 'min-h-8 text-md' })}
          to="/admin/adjustments"
          search={{ propose: user._id }}
        >
          <SquarePen className="size-4" aria-hidden="true" /> {t('adjust')}
        </Link>
      )}
    </nav>
  );
}

export function UserFacts({ user, record, failed }: { user: AdminUser; record: AdminUserRecord | undefined; failed: boolean }) {
  const t = useTexts(adminUsers);
  return (
    <>
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-3">
        <span className="flex min-w-0 items-center gap-3">
          <UserAvatar name={user.username} picture={user.profilePic} />
          <UserState user={user} />
        </span>
        <CopyButton value={user._id} label={t('copy.id')} done={t('copied')}>
          {t('copyId')}
        </CopyButton>
      </div>
      <Ways user={user} />
      <Facts
        rows={[
          [t('email'), t(user.isVerified ? 'verified' : 'unverified', { email: user.email })],
          [t('joined'), formatTime(user.createdAt, 'moment')],
          ...(user.disabledAt === null ? [] : [[t('disabledAt'), formatTime(user.disabledAt, 'moment')] as const]),
        ]}
      />
      <Section title={t('money')} size="small">
        <Facts
          rows={[
            [t('inEscrow'), money(user.inEscrow)],
            ...(record ? [[t('pendingWithdrawal'), money(record.pendingWithdrawal)] as const] : []),
            [t('deposited'), money(user.totalDeposited)],
            [t('withdrawn'), money(user.totalWithdrawn)],
          ]}
          total={[t('wallet'), money(user.wallet)]}
        />
      </Section>
      <Section title={t('activity')} size="small">
        {record ? (
          <Facts
            rows={[
              [t('allDeals'), count(user.totalDeals)],
              [t('openDeals'), count(record.openDeals)],
              [t('completedDeals'), count(record.completedDeals)],
              [t('cancelledDeals'), count(record.cancelledDeals)],
              [t('sessions'), count(record.sessions)],
              [t('lastSeen'), record.lastSeenAt === null ? t('notSignedIn') : formatTime(record.lastSeenAt, 'moment')],
            ]}
          />
        ) : failed ? (
          <p className="text-sm text-muted-foreground">{t('activityFailed')}</p>
        ) : (
          <Skeleton className="h-45" />
        )}
      </Section>
    </>
  );
}
