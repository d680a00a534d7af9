import { useQuery } from '@tanstack/react-query';
import { Ban, CircleCheckBig } from 'lucide-react';
import { useState } from 'react';
import type { AdminUser } from '@/api/contract';
import { LoadFailed } from '@/components/load-failed';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { Skeleton } from '@/components/ui/skeleton';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { adminUsers } from '@/i18n/en/admin-users';
import { common } from '@/i18n/en/common';
import { ConfirmDialog } from '../review/confirm-dialog';
import { Drawer } from '../review/drawer';
import { NextButton } from '../review/next-button';
import { ReasonDialog } from '../review/reason-dialog';
import { Result } from '../review/review-parts';
import { userQuery } from './queries';
import { useSwitchUser } from './use-switch-user';
import { UserFacts } from './user-facts';

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
        pendingText={tCommon('sending')}
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
        onOpenChange={setAsked}
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
        onOpenChange={setAsked}
        title={t('enable.ask', { name })}
        text={t('enable.askText')}
        act={(focus) => (
          <PendingButton
            ref={focus}
            pending={busy}
            pendingText={tCommon('sending')}
            onClick={() => enable(() => setAsked(false))}
          >
            <CircleCheckBig aria-hidden="true" />
            {t('enable')}
          </PendingButton>
        )}
      />
    </Drawer>
  );
}
