import { Link } from '@tanstack/react-router';
import type { Post } from '@/api/contract';
import { useTexts } from '@/i18n';
import { posts as catalogue } from '@/i18n/en/posts';
import { POST_LINK, PostCard, PostGrid, PostPlace } from './post-card';

type Props = {
  posts: readonly Post[];
  eager?: number;
  seller?: boolean;
  className?: string;
};

/** Cards that open posts in a new tab, so that the list keeps its place. */
export function PublicPosts({ posts, eager = 0, seller = true, className }: Props) {
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
        </PostPlace>
      ))}
    </PostGrid>
  );
}
