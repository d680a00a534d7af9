import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MessageSquareText, Pencil } from 'lucide-react';
import { type RefObject, useRef } from 'react';
import type { Profile } from '@/api/contract';
import { CopyButton } from '@/components/copy-button';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { useStartChat } from '@/entities/chat/use-start-chat';
import { relationQuery, useBlock } from '@/entities/moderation/blocks';
import { MoreMenu } from '@/entities/moderation/more-menu';
import { profileQuery, useMaybeMe } from '@/entities/user/queries';
import { UserAvatar } from '@/entities/user/user-avatar';
import { UserName } from '@/entities/user/user-name';
import { useFocusNext } from '@/hooks/use-focus-next';
import { useNextStep } from '@/hooks/use-next-step';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { moderation } from '@/i18n/en/moderation';
import { profile as catalogue } from '@/i18n/en/profile';
import { user as userTexts } from '@/i18n/en/user';
import { comingBack, type NextStep } from '@/lib/next-step';
import { PERSON_HEAD } from './person-classes';

function Unblock({ user, next }: { user: Profile['user']; next: RefObject<HTMLElement | null> }) {
  const tModeration = useTexts(moderation);
  const tCommon = useTexts(common);
  const { unblock } = useBlock(user);
  const button = useFocusNext(next);
  return (
    <PendingButton ref={button} pending={unblock.isPending} pendingText={tCommon('sending')} onClick={() => unblock.mutate()}>
      {tModeration('unblock', { name: user.username })}
    </PendingButton>
  );
}

function Act({ user, blocked, next }: { user: Profile['user']; blocked: boolean; next: NextStep | undefined }) {
  const t = useTexts(catalogue);
  const tCommon = useTexts(common);
  const me = useMaybeMe();
  const { start, pending } = useStartChat();
  const message = useRef<HTMLButtonElement>(null);
  useNextStep(next, () => {
    if (me && me._id !== user._id) start({ receiverId: user._id });
  });
  if (me?._id === user._id) {
    return (
      <Button asChild>
        <Link to="/profile">
          <Pencil aria-hidden="true" />
          {t('edit')}
        </Link>
      </Button>
    );
  }
  if (blocked) return <Unblock user={user} next={message} />;
  const face = (
    <>
      <MessageSquareText aria-hidden="true" />
      {t('message', { name: user.username })}
    </>
  );
  if (!me) {
    return (
      <Button asChild>
        <Link to="/signup" search={comingBack(`/profile/${user.username}`, 'contact')}>
          {face}
        </Link>
      </Button>
    );
  }
  return (
    <PendingButton
      ref={message}
      pending={pending}
      pendingText={tCommon('sending')}
      onClick={() => start({ receiverId: user._id })}
    >
      {face}
    </PendingButton>
  );
}

export function PersonHead({ username, next }: { username: string; next: NextStep | undefined }) {
  const t = useTexts(catalogue);
  const tUser = useTexts(userTexts);
  const me = useMaybeMe();
  const tModeration = useTexts(moderation);
  const { user } = useSuspenseQuery(profileQuery(username)).data;
  const isOther = me !== null && me._id !== user._id;
  const { data: relation } = useQuery({ ...relationQuery(user._id), enabled: isOther });
  const blocked = isOther && relation?.block === 'mine';
  return (
    <header className={PERSON_HEAD}>
      <UserAvatar name={user.username} picture={user.profilePic} size="xl" />
      <div className="min-w-0 flex-[1_1_200px]">
        <h1 className="font-display text-display-lg">
          <UserName user={user} />
        </h1>
        {user.isStaff ? <p className="text-muted-foreground">{tUser('staff')}</p> : null}
        {me?._id === user._id ? <p className="text-sm text-muted-foreground">{t('yours')}</p> : null}
        {blocked ? <p className="text-muted-foreground">{tModeration('profile.mine', { name: user.username })}</p> : null}
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-3">
        <Act user={user} blocked={blocked} next={next} />
        <CopyButton value={`${window.location.origin}/profile/${user.username}`} label={t('copyOf')} variant="outline">
          {t('copy')}
        </CopyButton>
        {isOther ? <MoreMenu person={user} variant="outline" /> : null}
      </div>
    </header>
  );
}
