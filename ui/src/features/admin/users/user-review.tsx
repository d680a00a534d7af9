import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ban, CircleCheckBig, MessagesSquare, ScrollText, SquarePen, UserRound } from 'lucide-react';
import { useState } from 'react';
import type { AdminUser, AdminUserRecord } from '@/api/contract';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { CopyButton } from '@/components/copy-button';
import { LoadFailed } from '@/components/load-failed';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { Facts, Section } from '@/components/section';
import { buttonVariants } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { withConfirmation } from '@/entities/user/second-factor/confirmation';
import { UserAvatar } from '@/entities/user/user-avatar';
import { translate, useTexts } from '@/i18n';
import { adminUsers } from '@/i18n/en/admin';
import { common } from '@/i18n/en/common';
import { api, send } from '@/lib/api';
import { centsFromWire, count, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { notify } from '@/lib/toast';
import { Drawer } from '../review/drawer';
import { ReasonDialog } from '../review/reason-dialog';
import { NextButton, Result } from '../review/review-parts';
import { notifyFailure } from '../review/use-review';
import { userQuery } from './queries';
import { UserState } from './user-state';

/** Locks or unlocks a user. Asks for the password if the server requires it. */
function useSwitchUser(id: string) {
  const queryClient = useQueryClient();
  const [outcome, setOutcome] = useState<string | null>(null);
  const params = { path: { id } };
  const change = useMutation({
    mutationFn: (reason: string | null) =>
      withConfirmation(() =>
        reason === null
          ? send(api.POST('/admin/users/{id}/enable', { params }))
          : send(api.POST('/admin/users/{id}/disable', { params, body: { reason } })),
      ),
    meta: { quiet: true },
    onSuccess: ({ user }, reason) => {
      const done = reason === null ? 'enable.done' : 'disable.done';
      setOutcome(translate(adminUsers, done, { name: user.username }));
      notify.success(translate(adminUsers, reason === null ? 'toast.enabled' : 'toast.disabled'));
    },
    onError: (error) => notifyFailure(error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.adminUsers }),
  });
  const run = (reason: string | null, done: () => void) => {
    if (!change.isPending) change.mutate(reason, { onSuccess: done });
  };
  return {
    outcome,
    busy: change.isPending,
    disable: (reason: string, done: () => void) => run(reason, done),
    enable: (done: () => void) => run(null, done),
  };
}

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
          to="/admin/corrections"
          search={{ propose: user._id }}
        >
          <SquarePen className="size-4" aria-hidden="true" /> {t('adjust')}
        </Link>
      )}
    </nav>
  );
}

function UserFacts({ user, record, failed }: { user: AdminUser; record: AdminUserRecord | undefined; failed: boolean }) {
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

type Props = {
  id: string;
  /** Null if the user is not on the current page of the list. */
  row: AdminUser | null;
  onNext: (() => void) | null;
  onClose: () => void;
};

export default function UserReview({ id, row, onNext, onClose }: Props) {
  const t = useTexts(adminUsers);
  const tCommon = useTexts(common);
  const me = useMe();
  const query = useQuery(userQuery(id));
  const record = query.data;
  const user = record ?? row;
  const { outcome, busy, disable, enable } = useSwitchUser(id);
  const [asked, setAsked] = useState(false);
  const own = id === me._id;
  const disabled = user?.disabledAt != null;
  const act =
    user && !own && !user.closed ? (
      <PendingButton
        variant={disabled ? 'default' : 'destructive'}
        className="min-w-0 flex-1"
        pending={busy}
        onClick={() => setAsked(true)}
      >
        {disabled ? <CircleCheckBig aria-hidden="true" /> : <Ban aria-hidden="true" />}
        {t(disabled ? 'enable' : 'disable')}
      </PendingButton>
    ) : null;
  const foot =
    act || onNext ? (
      <>
        {act}
        <NextButton onNext={onNext} plain />
      </>
    ) : null;
  const name = user?.username ?? '';
  return (
    <Drawer
      row={id}
      said={outcome}
      eyebrow={t('user')}
      title={user?.username ?? (query.isLoadingError ? t('user') : tCommon('loading'))}
      foot={foot}
      onClose={onClose}
    >
      <Result outcome={outcome} refused={null} />
      {own ? <Note kind="wait">{t('own')}</Note> : null}
      {user?.closed ? <Note>{t('closed')}</Note> : null}
      {user ? <UserFacts user={user} record={record} failed={query.isLoadingError} /> : null}
      {!user && query.isLoadingError ? (
        <LoadFailed error={query.error} fallback={t('failed')} onRetry={() => void query.refetch()} />
      ) : null}
      {!user && query.isPending ? <Skeleton className="h-80" /> : null}
      <ReasonDialog
        open={asked && !disabled}
        onClose={() => setAsked(false)}
        title={t('disable.ask', { name })}
        text={t('disable.askText')}
        field={{ label: t('reason'), help: t('reasonHelp') }}
        missing={t('rule.reason')}
        action={t('disable')}
        busy={busy}
        onAnswer={(reason) => disable(reason, () => setAsked(false))}
      />
      <ConfirmDialog
        open={asked && disabled}
        onClose={() => setAsked(false)}
        title={t('enable.ask', { name })}
        text={t('enable.askText')}
        focusAction
        action={
          <PendingButton pending={busy} onClick={() => enable(() => setAsked(false))}>
            <CircleCheckBig aria-hidden="true" />
            {t('enable')}
          </PendingButton>
        }
      />
    </Drawer>
  );
}
