import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MessageSquareText, Pencil } from 'lucide-react';
import { type RefObject, useRef } from 'react';
import type { Profile } from '@/api/contract';
import { STACK } from '@/components/classes';
import { CopyButton } from '@/components/copy-button';
import { EmptyState } from '@/components/empty-state';
import { MissingPage } from '@/components/missing-page';
import { Page } from '@/components/page';
import { ShowMore } from '@/components/pager';
import { PendingButton } from '@/components/pending-button';
import { Section } from '@/components/section';
import { SkeletonPage } from '@/components/skeleton-page';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { useStartChat } from '@/entities/chat/use-start-chat';
import { keys } from '@/entities/keys';
import { relationQuery, useBlock } from '@/entities/moderation/blocks';
import { MoreMenu } from '@/entities/moderation/more-menu';
import { ReportButton, ReviewReport } from '@/entities/moderation/report-button';
import { PublicPosts } from '@/entities/post/post-card';
import { AwayBadge } from '@/entities/user/away';
import { PersonFigures } from '@/entities/user/person-figures';
import { profileQuery, useMaybeMe } from '@/entities/user/queries';
import { fetchReviews, ReviewList } from '@/entities/user/review-list';
import { UserAvatar } from '@/entities/user/user-avatar';
import { UserName } from '@/entities/user/user-name';
import { useFocusNext } from '@/hooks/use-focus';
import { useMoreRows } from '@/hooks/use-more-rows';
import { useNextStep } from '@/hooks/use-next-step';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { moderation } from '@/i18n/en/moderation';
import { profile as catalogue, profile } from '@/i18n/en/profile';
import { user as userTexts } from '@/i18n/en/user';
import { api, sendList } from '@/lib/api';
import { cn } from '@/lib/cn';
import { count } from '@/lib/money';
import { comingBack, type NextStep } from '@/lib/next-step';

const PERSON_HEAD = 'mb-8 flex flex-wrap items-center gap-x-5 gap-y-4';

const PERSON_COLUMNS = 'grid gap-x-12 gap-y-8 lg:grid-cols-[280px_minmax(0,1fr)] lg:items-start';

export function PersonMissing() {
  const t = useTexts(profile);
  return (
    <MissingPage title={t('missing')} text={t('missingText')}>
      <Link to="/explore">{t('toMarket')}</Link>
    </MissingPage>
  );
}

function Unblock({ user, next }: { user: Profile['user']; next: RefObject<HTMLElement | null> }) {
  const tModeration = useTexts(moderation);
  const { unblock } = useBlock(user);
  const button = useFocusNext(next);
  return (
    <PendingButton ref={button} pending={unblock.isPending} onClick={() => unblock.mutate()}>
      {tModeration('unblock', { name: user.username })}
    </PendingButton>
  );
}

function Act({ user, blocked, next }: { user: Profile['user']; blocked: boolean; next: NextStep | undefined }) {
  const t = useTexts(catalogue);
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
    <PendingButton ref={message} pending={pending} onClick={() => start({ receiverId: user._id })}>
      {face}
    </PendingButton>
  );
}

function PersonHead({ username, next }: { username: string; next: NextStep | undefined }) {
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
        <AwayBadge user={user} />
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

export function PersonSkeleton() {
  const t = useTexts(common);
  return (
    <Page title={t('loading')} className="wrap-anywhere">
      <SkeletonPage>
        <div className={PERSON_HEAD}>
          <Skeleton className="size-18" />
          <span className={cn(STACK, 'flex-[1_1_200px] gap-2')}>
            <Skeleton className="h-10 w-55" />
            <Skeleton className="w-40" />
          </span>
        </div>
        <div className={PERSON_COLUMNS}>
          <Skeleton className="h-80" />
          <Skeleton className="h-70" />
        </div>
      </SkeletonPage>
    </Page>
  );
}

const PAGE = 12;

function Reviews({ person }: { person: Profile }) {
  const t = useTexts(catalogue);
  const { reviews, reviewCount, user } = person;
  const { rows, ...rest } = useMoreRows({
    first: reviews,
    total: reviewCount,
    queryKey: [...keys.profiles, user.username.toLowerCase(), 'reviews'],
    load: (page, signal) => fetchReviews(user._id, {}, page, signal),
  });
  return (
    <Section
      title={t('reviewsTitle')}
      aside={
        reviewCount === 0 ? null : <span className="text-muted-foreground lining-nums tabular-nums">{count(reviewCount)}</span>
      }
    >
      {reviewCount === 0 ? (
        <EmptyState title={t('noReviews')} text={t('noReviewsText')} />
      ) : (
        <ReviewList reviews={rows} act={(review) => <ReviewReport review={review} />} />
      )}
      <ShowMore {...rest} step={10} />
    </Section>
  );
}

function Posts({ person, own }: { person: Profile; own: boolean }) {
  const t = useTexts(catalogue);
  const { posts, postCount, user } = person;
  const { username } = user;
  const { rows, ...rest } = useMoreRows({
    first: posts,
    total: postCount,
    queryKey: [...keys.profiles, username.toLowerCase(), 'posts'],
    load: (page, signal) =>
      sendList(api.GET('/posts/user/{username}', { params: { path: { username }, query: { page, limit: PAGE } }, signal })),
  });
  return (
    <Section title={t('postsTitle')}>
      {posts.length === 0 ? (
        <EmptyState title={t('noPosts')} text={t('noPostsText', { name: user.username })}>
          <Button variant="outline" asChild>
            {own ? <Link to="/posts/create">{t('offer')}</Link> : <Link to="/explore">{t('toMarket')}</Link>}
          </Button>
        </EmptyState>
      ) : (
        <PublicPosts posts={rows} seller={false} className="lg:grid-cols-3" />
      )}
      <ShowMore {...rest} step={PAGE} />
    </Section>
  );
}

/** /profile/{username}: the public profile. */
export function PersonPage({ username, next }: { username: string; next: NextStep | undefined }) {
  const t = useTexts(catalogue);
  const me = useMaybeMe();
  const { data: person } = useSuspenseQuery(profileQuery(username));
  const own = me?._id === person.user._id;
  return (
    <Page title={t('page', { name: person.user.username })} className="wrap-anywhere">
      <PersonHead username={username} next={next} />
      <div className={PERSON_COLUMNS}>
        <aside className={cn(STACK, 'gap-6 border-t-2 border-foreground pt-1')}>
          <PersonFigures profile={person} />
          {own ? null : (
            <p className="text-sm text-muted-foreground">
              {t('reportText')}{' '}
              <ReportButton about={{ subject: 'user', id: person.user._id, person: person.user }}>{t('report')}</ReportButton>
            </p>
          )}
        </aside>
        <div className={cn(STACK, 'gap-12')}>
          <Posts person={person} own={own} />
          <Reviews person={person} />
        </div>
      </div>
    </Page>
  );
}
