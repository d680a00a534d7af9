import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Profile } from '@/api/contract';
import { STACK } from '@/components/classes';
import { EmptyState } from '@/components/empty-state';
import { Page } from '@/components/page';
import { Section } from '@/components/section';
import { ShowMore } from '@/components/show-more';
import { Button } from '@/components/ui/button';
import { keys } from '@/entities/keys';
import { ReportButton } from '@/entities/moderation/report-button';
import { ReviewReport } from '@/entities/moderation/review-report';
import { PublicPosts } from '@/entities/post/public-posts';
import { PersonFigures } from '@/entities/user/person-figures';
import { profileQuery, useMaybeMe } from '@/entities/user/queries';
import { ReviewList } from '@/entities/user/review-list';
import { fetchReviews } from '@/entities/user/reviews';
import { useMoreRows } from '@/hooks/use-more-rows';
import { useTexts } from '@/i18n';
import { profile as catalogue } from '@/i18n/en/profile';
import { api, sendList } from '@/lib/api';
import { cn } from '@/lib/cn';
import { count } from '@/lib/money';
import type { NextStep } from '@/lib/next-step';
import { PERSON_COLUMNS } from './person-classes';
import { PersonHead } from './person-head';

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
