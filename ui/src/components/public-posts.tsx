import { Link } from '@tanstack/react-router';
import type { Post } from '@/api/contract';
import { useTexts } from '@/i18n';
import { posts as catalogue } from '@/i18n/en/posts';
import { PostCard } from './post-card';

type Props = {
  posts: readonly Post[];
  /** So many pictures are on the first screen. */
  eager?: number;
  seller?: boolean;
};

/** Cards that open the post in a new tab, so that the list stays where it was. */
export function PublicPosts({ posts, eager = 0, seller = true }: Props) {
  const t = useTexts(catalogue);
  return (
    <ul className="posts">
      {posts.map((post, index) => (
        <li key={post._id} className="post">
          <Link to="/posts/$postId" params={{ postId: post._id }} target="_blank" rel="noopener" preload={false}>
            <PostCard post={post} eager={index < eager} seller={seller} />
            <span className="sr">{t('newTab')}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
