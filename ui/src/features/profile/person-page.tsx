import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Profile } from '@/api/contract';
import { EmptyState } from '@/components/empty-state';
import { Section } from '@/components/khata/section';
import { Page } from '@/components/page';
import { PersonFigures } from '@/components/person-figures';
import { PublicPosts } from '@/components/public-posts';
import { ReviewList } from '@/components/review-list';
import { ShowMore } from '@/components/show-more';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { profile as catalogue } from '@/i18n/en/profile';
import { api, sendList } from '@/lib/api';
import { count } from '@/lib/money';
import { keys, profileQuery, useMaybeMe } from '@/lib/queries';
import { reviewPage } from '@/lib/review-page';
import { useMore } from '@/lib/use-more';
import { PersonHead } from './person-head';

/** As many posts as the profile brings. */
const PAGE = 12;

function Reviews({ person }: { person: Profile }) {
  const t = useTexts(catalogue);
  const { reviews, reviewCount, user } = person;
  const { rows, ...rest } = useMore({
    first: reviews,
    total: reviewCount,
    queryKey: [...keys.profiles, user.username.toLowerCase(), 'reviews'],
    load: (page, signal) => reviewPage(user._id, {}, page, signal),
  });
  return (
    <Section
      title={t('reviewsTitle')}
      aside={
        reviewCount === 0 ? null : <span className="text-muted-foreground lining-nums tabular-nums">{count(reviewCount)}</span>
      }
    >
      {reviewCount === 0 ? <EmptyState title={t('noReviews')} text={t('noReviewsText')} /> : <ReviewList reviews={rows} />}
      <ShowMore {...rest} step={10} />
    </Section>
  );
}

function Posts({ person, own }: { person: Profile; own: boolean }) {
  const t = useTexts(catalogue);
  const { posts, postCount, user } = person;
  const { username } = user;
  const { rows, ...rest } = useMore({
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
          <Button variant="line" asChild>
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

/** /profile/{username}: what everybody may see of a user. */
export function PersonPage({ username }: { username: string }) {
  const t = useTexts(catalogue);
  const me = useMaybeMe();
  const { data: person } = useSuspenseQuery(profileQuery(username));
  const own = me?._id === person.user._id;
  return (
    <Page title={t('page', { name: person.user.username })} className="wrap-anywhere">
      <PersonHead username={username} />
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[280px_minmax(0,1fr)] lg:items-start">
        <aside className="grid min-w-0 content-start gap-6 border-t-2 border-foreground pt-1 *:min-w-0">
          <PersonFigures profile={person} />
          {own ? null : (
            <p className="text-sm text-muted-foreground">
              {t('reportText')}{' '}
              <Link to="/contactus" className="link">
                {t('report')}
              </Link>
            </p>
          )}
        </aside>
        <div className="grid min-w-0 content-start gap-12 *:min-w-0">
          <Posts person={person} own={own} />
          <Reviews person={person} />
        </div>
      </div>
    </Page>
  );
}
