import { Link } from '@tanstack/react-router';
import { BookOpen, BriefcaseBusiness, Gamepad2, Globe, type LucideIcon, Package, Star } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import type { Category, Post } from '@/api/contract';
import { MONEY, TAKA } from '@/components/classes';
import { Picture } from '@/components/picture';
import { Skeleton } from '@/components/ui/skeleton';
import { UserName } from '@/entities/user/user-name';
import { useTaka } from '@/entities/wallet/exchange-rate';
import { useTexts } from '@/i18n';
import { posts as catalogue, posts } from '@/i18n/en/posts';
import { saved } from '@/i18n/en/saved';
import { cn } from '@/lib/cn';
import { aboutBdt, centsFromWire, count, localDigits, usdShort } from '@/lib/money';
import { useFactTexts } from './facts';
import { SaveButton } from './save-button';
import { useCategoryNames } from './subcategories';

const ICONS: Record<Category, LucideIcon> = {
  'Freelance Service': BriefcaseBusiness,
  'Physical Product': Package,
  'Online Asset': Globe,
};

/** Subcategories whose icon differs from the category's. */
const OWN_ICONS: Partial<Record<string, LucideIcon>> = { Books: BookOpen, Ebook: BookOpen, 'Game Id': Gamepad2 };

const SIZES = '(min-width: 900px) 286px, 128px';

/** The server counts to here. */
const MOST = 1000;

/** The seller with rating and deals, as much of them as fits one line. */
function Seller({ post: { createdBy, seller } }: { post: Post }) {
  const t = useTexts(posts);
  const rating = seller?.averageRating ?? null;
  const deals = seller?.completedDeals ?? 0;
  return (
    <span className="mt-1 flex h-lh flex-wrap gap-x-2 overflow-hidden text-sm">
      <UserName user={createdBy} truncate />
      {seller && rating !== null ? (
        <span className="text-muted-foreground">
          <Star className="inline size-3.5 fill-star stroke-star align-[-1px]" aria-hidden="true" />{' '}
          <span aria-hidden="true">
            {localDigits(rating.toFixed(1))} ({count(seller.ratingCount)})
          </span>
          <span className="sr-only">
            {t('card.rating', { rating: localDigits(rating.toFixed(1)), count: seller.ratingCount })}
          </span>
        </span>
      ) : null}
      {deals > 0 ? (
        <span className="text-muted-foreground">{t(deals < MOST ? 'card.deals' : 'card.manyDeals', { count: deals })}</span>
      ) : null}
    </span>
  );
}

/** What stands in the place of a picture. */
export function PostLabel({ post }: { post: Pick<Post, 'category' | 'subcategory'> }) {
  const names = useCategoryNames();
  const Icon = OWN_ICONS[post.subcategory] ?? ICONS[post.category];
  return (
    <span data-slot="picture-label" className="grid size-full place-items-center p-[8%] wide:p-[12%]" aria-hidden="true">
      <span className="grid size-full place-content-center justify-items-center gap-1 overflow-hidden border border-border-strong bg-background p-1 text-center font-display text-caption leading-[1.2] font-title wide:gap-1.5 wide:text-md [:lang(bn)_&]:leading-[1.4]">
        <Icon className="wide:size-7" aria-hidden="true" />
        <span className="line-clamp-2">{names.subcategory(post.subcategory)}</span>
      </span>
    </span>
  );
}

export function PostGrid({ className, ...props }: ComponentProps<'ul'>) {
  return (
    <ul className={cn('grid gap-x-5 gap-y-7 sm:grid-cols-2 wide:grid-cols-4 wide:gap-x-6 wide:gap-y-11', className)} {...props} />
  );
}

/** The list item of a card. Cards below a phone's screen are laid out when they come near. */
export function PostPlace({ children }: { children: ReactNode }) {
  return (
    <li className="relative min-w-0 max-wide:nth-[n+6]:[contain-intrinsic-size:auto_154px] max-wide:nth-[n+6]:[content-visibility:auto] max-wide:nth-[n+6]:[overflow-clip-margin:8px]">
      {children}
    </li>
  );
}

export const POST_LINK = 'group block no-underline hover:text-inherit';

/** The layout of a card: the picture beside the text, or above it on a wide screen. */
function PostFrame({ picture, className, children }: { picture?: ReactNode; className?: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[128px_minmax(0,1fr)] grid-rows-[auto_auto_auto_1fr] content-start gap-x-3.5 border-t-2 border-foreground pt-2.5 wrap-anywhere wide:grid-cols-1 wide:grid-rows-none wide:pt-0">
      <span
        className={cn('row-span-full aspect-4/3 self-start overflow-hidden bg-secondary wide:row-auto wide:mb-2.5', className)}
      >
        {picture}
      </span>
      {children}
    </div>
  );
}

/** A post, and its price when the user saved it. */
type Shown = Post & { savedPrice?: Post['price'] };

type Props = {
  post: Shown;
  /** Loads the picture at once, for cards on the first screen. */
  eager: boolean;
  /** Shows the seller; false in lists of one person. */
  seller: boolean;
};

export function PostCard({ post, eager, seller }: Props) {
  const t = useTexts(posts);
  const names = useCategoryNames();
  const headline = useFactTexts().headline(post);
  const price = centsFromWire(post.price);
  const before = centsFromWire(post.savedPrice ?? post.price);
  const tSaved = useTexts(saved);
  const taka = useTaka('pays');
  return (
    <PostFrame
      picture={
        <Picture
          className="size-full object-cover"
          url={post.image}
          alt=""
          sizes={SIZES}
          eager={eager}
          fallback={<PostLabel post={post} />}
        />
      }
    >
      <span className="line-clamp-2 text-sm/snug text-muted-foreground wide:line-clamp-1">
        {[names.subcategory(post.subcategory), ...headline].join(' ·\u00a0')}
      </span>
      <h2 className="mt-0.5 line-clamp-3 leading-snug font-semibold text-wrap group-hover:underline group-hover:underline-offset-[0.2em] wide:line-clamp-2 wide:min-h-[2lh]">
        {post.title}
      </h2>
      {seller ? <Seller post={post} /> : null}
      <span className="mt-1.5 flex flex-wrap content-start items-baseline gap-x-1.5 gap-y-0.5">
        <span className="text-sm text-muted-foreground">{t('from')}</span>{' '}
        <span className={`${MONEY} text-[24px]`}>{usdShort(price)}</span>{' '}
        {taka ? <span className={`mt-1 ${TAKA}`}>{aboutBdt(taka(price))}</span> : null}
        {before > price ? (
          <span className="text-sm text-muted-foreground"> {tSaved('was', { price: usdShort(before) })}</span>
        ) : null}
      </span>
    </PostFrame>
  );
}

type PublicPostsProps = {
  posts: readonly Shown[];
  eager?: number;
  seller?: boolean;
  className?: string;
};

/** Cards that open posts in a new tab, so that the list keeps its place. */
export function PublicPosts({ posts, eager = 0, seller = true, className }: PublicPostsProps) {
  const t = useTexts(catalogue);
  return (
    <PostGrid className={className}>
      {posts.map((post, index) => (
        <PostPlace key={post._id}>
          <Link
            to="/posts/$postId"
            params={{ postId: post._id }}
            className={POST_LINK}
            target="_blank"
            rel="noopener"
            preload={false}
          >
            <PostCard post={post} eager={index < eager} seller={seller} />
            <span className="sr-only">{t('newTab')}</span>
          </Link>
          <SaveButton post={post} onCard />
        </PostPlace>
      ))}
    </PostGrid>
  );
}

const CARDS = [0, 1, 2, 3, 4, 5, 6, 7];

export function CardsSkeleton({ className }: { className?: string }) {
  return (
    <PostGrid data-slot="cards-skeleton" className={className} aria-hidden="true">
      {CARDS.map((card) => (
        <PostPlace key={card}>
          <PostFrame className="animate-pulse rounded-xs">
            <span className="grid min-w-0 content-start gap-2">
              <Skeleton className="w-2/5" />
              <Skeleton className="h-4.5 w-[90%]" />
              <Skeleton className="w-[34%]" />
              <Skeleton className="h-6 w-[56%]" />
            </span>
          </PostFrame>
        </PostPlace>
      ))}
    </PostGrid>
  );
}
