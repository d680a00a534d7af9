import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { Post } from '@/api/contract';
import { HANGING } from '@/components/classes';
import { Crumbs } from '@/components/crumbs';
import { RetryLine } from '@/components/load-failed';
import { Page } from '@/components/page';
import { QueryPart } from '@/components/query-part';
import { Facts, Section } from '@/components/section';
import { SkeletonPage } from '@/components/skeleton-page';
import { Skeleton } from '@/components/ui/skeleton';
import { useStartChat } from '@/entities/chat/use-start-chat';
import { Hold } from '@/entities/deal/khata/hold';
import { Hidden } from '@/entities/moderation/hidden';
import { ReviewReport } from '@/entities/moderation/report-button';
import { useFactTexts } from '@/entities/post/facts';
import { PublicPosts } from '@/entities/post/post-card';
import { postQuery } from '@/entities/post/post-query';
import { useSaved } from '@/entities/post/saved';
import { inspectionDays, useCategoryNames } from '@/entities/post/subcategories';
import { AwayBadge } from '@/entities/user/away';
import { PersonFigures } from '@/entities/user/person-figures';
import { profileQuery, useMaybeMe } from '@/entities/user/queries';
import { ReviewList } from '@/entities/user/review-list';
import { UserAvatar } from '@/entities/user/user-avatar';
import { UserName } from '@/entities/user/user-name';
import { useNextStep } from '@/hooks/use-next-step';
import { useTexts } from '@/i18n';
import { posts } from '@/i18n/en/posts';
import { centsFromWire, feeOf, usd } from '@/lib/money';
import type { NextStep } from '@/lib/next-step';
import { countView } from '../queries';
import { useKeepRecent } from '../recent';
import { ContactBar, type DealDialog, Offer } from './detail-aside';
import { Gallery } from './gallery';

/** The post beside its price and seller; in one column on a narrow screen, above the sections. */
function DetailColumns({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col gap-8 lg:grid lg:grid-cols-[minmax(0,1fr)_344px] lg:items-start lg:gap-x-12">{children}</div>
  );
}

function PostColumn({ children }: { children: ReactNode }) {
  return (
    <div className="contents lg:grid lg:min-w-0 lg:content-start lg:gap-8 lg:*:min-w-0 max-lg:[&>section]:order-3">
      {children}
    </div>
  );
}

function OfferColumn({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <aside className="contents max-lg:*:order-2 lg:sticky lg:top-6 lg:mt-2 lg:grid lg:gap-8" aria-label={label}>
      {children}
    </aside>
  );
}

export function PostSkeleton() {
  const t = useTexts(posts);
  return (
    <Page title={t('title')} className="wrap-anywhere">
      <SkeletonPage>
        <div className="mb-2 flex min-h-8 items-center">
          <Skeleton className="w-55" />
        </div>
        <DetailColumns>
          <PostColumn>
            <Skeleton className="h-11 w-[70%]" />
            <Skeleton className="aspect-4/3 h-auto border-t-2 border-foreground" />
            <Skeleton className="h-30" />
          </PostColumn>
          <OfferColumn>
            <Skeleton className="h-55" />
            <Skeleton className="h-40" />
          </OfferColumn>
        </DetailColumns>
      </SkeletonPage>
    </Page>
  );
}

function Figures({ username }: { username: string }) {
  const t = useTexts(posts);
  return (
    <QueryPart
      query={useQuery(profileQuery(username))}
      failure={({ onRetry }) => (
        <RetryLine text={t('post.sellerFailed')} className="text-sm text-muted-foreground" onRetry={onRetry} />
      )}
      skeleton={<Skeleton className="mt-4 h-80" />}
    >
      {(seller) => (
        <div className="mt-2">
          <PersonFigures profile={seller} />
        </div>
      )}
    </QueryPart>
  );
}

function SellerCard({ post }: { post: Post }) {
  const t = useTexts(posts);
  const { username, profilePic } = post.createdBy;
  return (
    <section className={HANGING} aria-label={t('post.seller')}>
      <Link to="/profile/$username" params={{ username }} className="flex min-w-0 items-center gap-3 no-underline">
        <UserAvatar name={username} picture={profilePic} size="lg" />
        <span className="min-w-0 flex-1">
          <UserName user={post.createdBy} className="text-lg font-semibold" />
          <br />
          <span className="text-sm text-muted-foreground">{t('post.seller')}</span>
        </span>
      </Link>
      <AwayBadge user={post.createdBy} />
      <Figures username={username} />
    </section>
  );
}

function PostCrumbs({ post }: { post: Post }) {
  const t = useTexts(posts);
  const names = useCategoryNames();
  const { category, subcategory } = post;
  return (
    <Crumbs
      label={t('categories')}
      links={[
        <Link key="all" to="/explore">
          {t('title')}
        </Link>,
        <Link key="category" to="/explore" search={{ category }}>
          {names.category(category)}
        </Link>,
        <Link key="subcategory" to="/explore" search={{ category, subcategory }}>
          {names.subcategory(subcategory)}
        </Link>,
      ]}
    />
  );
}

function Tags({ tags }: { tags: readonly string[] }) {
  const t = useTexts(posts);
  if (tags.length === 0) return null;
  return (
    <ul className="mt-4 flex min-w-0 flex-wrap items-center gap-3" aria-label={t('post.tags')}>
      {tags.map((tag) => (
        <li key={tag}>
          <Link
            className="inline-flex min-h-8 items-center rounded-xs bg-secondary px-2.5 py-1 text-sm no-underline hover:underline"
            to="/explore"
            search={{ search: tag }}
          >
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function PostFacts({ post }: { post: Post }) {
  const rows = useFactTexts().rows(post.facts);
  return rows.length === 0 ? null : (
    <div className="mb-4 max-w-measure">
      <Facts rows={rows} />
    </div>
  );
}

const SHOWN_REVIEWS = 3;

function Kept({ post }: { post: Post }) {
  const t = useTexts(posts);
  const price = centsFromWire(post.price);
  return (
    <Section title={t('post.kept')}>
      <Hold
        holder="buyer"
        buyer={{ name: t('post.you'), sum: usd(price), note: t('post.agree') }}
        amanat={{ sum: usd(price), note: t('post.check', { count: inspectionDays(post.subcategory) }) }}
        seller={{ name: post.createdBy.username, sum: usd(price - feeOf(price)), note: t('post.yes') }}
      />
      <p className="mt-4 text-sm text-muted-foreground">{t('post.keptText')}</p>
    </Section>
  );
}

function Reviews({ username }: { username: string }) {
  const t = useTexts(posts);
  const { data } = useQuery(profileQuery(username));
  if (!data || data.reviews.length === 0) return null;
  return (
    <Section title={t('post.reviews')}>
      <ReviewList reviews={data.reviews.slice(0, SHOWN_REVIEWS)} act={(review) => <ReviewReport review={review} />} />
    </Section>
  );
}

const SHOWN_POSTS = 4;

/** The newest other posts of the seller, from the profile that is shown already. */
function MoreFromSeller({ post: { _id, createdBy } }: { post: Post }) {
  const t = useTexts(posts);
  const { data } = useQuery(profileQuery(createdBy.username));
  const others = data?.posts.filter((other) => other._id !== _id).slice(0, SHOWN_POSTS) ?? [];
  if (others.length === 0) return null;
  return (
    <Section title={t('post.more')} className="mt-12">
      <PublicPosts posts={others} seller={false} className="mt-5" />
    </Section>
  );
}

/** Counts a view once the page is looked at: it may have been opened in the background. */
function useCountView(id: string, own: boolean): void {
  useEffect(() => {
    if (own) return;
    const look = () => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', look);
      countView(id);
    };
    document.addEventListener('visibilitychange', look);
    look();
    return () => document.removeEventListener('visibilitychange', look);
  }, [id, own]);
}

type Props = {
  id: string;
  dialog: DealDialog;
  next: NextStep | undefined;
};

export function PostPage({ id, dialog, next }: Props) {
  const t = useTexts(posts);
  const { data: post } = useSuspenseQuery(postQuery(id));
  const me = useMaybeMe();
  const own = me?._id === post.createdBy._id;
  const { start } = useStartChat();
  const { save } = useSaved(id);
  useKeepRecent(post);
  useCountView(id, own);
  useNextStep(next, (step) => {
    if (!me || own) return;
    if (step === 'save') save(true);
    else if (step === 'deal') dialog.open();
    else start({ receiverId: post.createdBy._id, postId: post._id });
  });
  return (
    <Page title={post.title} className="pb-36 wrap-anywhere md:pb-36 lg:pb-24">
      <PostCrumbs post={post} />
      {post.hidden ? <Hidden decision={own ? post.decisionId : null} /> : null}
      <DetailColumns>
        <PostColumn>
          <h1 className="-my-2 overflow-clip py-2 font-display text-display-lg">{post.title}</h1>
          <Gallery post={post} />
          <Section title={t('post.about')}>
            <PostFacts post={post} />
            <p className="max-w-measure overflow-clip whitespace-pre-line">{post.description}</p>
            <Tags tags={post.tags} />
          </Section>
          <Kept post={post} />
          <Reviews username={post.createdBy.username} />
        </PostColumn>
        <OfferColumn label={t('post.seller')}>
          <Offer post={post} dialog={dialog} />
          <SellerCard post={post} />
        </OfferColumn>
      </DetailColumns>
      <MoreFromSeller post={post} />
      <ContactBar post={post} dialog={dialog} />
    </Page>
  );
}
