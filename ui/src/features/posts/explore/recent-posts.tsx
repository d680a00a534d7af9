import { Link } from '@tanstack/react-router';
import { MONEY } from '@/components/classes';
import { Picture } from '@/components/picture';
import { Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { POST_LINK, PostLabel } from '@/entities/post/post-card';
import { useFocusNext } from '@/hooks/use-focus';
import { useTexts } from '@/i18n';
import { posts as catalogue } from '@/i18n/en/posts';
import { centsFromWire, usdShort } from '@/lib/money';
import { type RecentPost, useRecentPosts } from '../recent';

function RecentCard({ post }: { post: RecentPost }) {
  const t = useTexts(catalogue);
  return (
    <li className="relative w-36 flex-none snap-start wrap-anywhere">
      <Link
        to="/posts/$postId"
        params={{ postId: post._id }}
        className={POST_LINK}
        target="_blank"
        rel="noopener"
        preload={false}
      >
        <span className="block aspect-4/3 overflow-hidden bg-secondary">
          <Picture
            className="size-full object-cover"
            url={post.image}
            alt=""
            sizes="144px"
            fallback={<PostLabel post={post} />}
          />
        </span>
        <span className="mt-2 line-clamp-2 text-sm/snug group-hover:underline">{post.title}</span>
        <span className={`${MONEY} text-lg`}>{usdShort(centsFromWire(post.price))}</span>
        <span className="sr-only"> {t('newTab')}</span>
      </Link>
    </li>
  );
}

function Clear({ onClick }: { onClick: () => void }) {
  const t = useTexts(catalogue);
  return (
    <Button ref={useFocusNext()} variant="link" onClick={onClick}>
      {t('filters.clear')}
    </Button>
  );
}

/** The posts that were opened last on this device, in a row that scrolls. */
export function RecentPosts() {
  const t = useTexts(catalogue);
  const { posts, clear } = useRecentPosts();
  if (posts.length === 0) return null;
  return (
    <Section title={t('recent')} aside={<Clear onClick={clear} />} className="mt-12">
      <p className="mb-4 text-sm text-muted-foreground">{t('recent.text')}</p>
      <ul className="-mx-gutter flex snap-x scroll-px-gutter gap-4 overflow-x-auto px-gutter pb-2">
        {posts.map((post) => (
          <RecentCard key={post._id} post={post} />
        ))}
      </ul>
    </Section>
  );
}
