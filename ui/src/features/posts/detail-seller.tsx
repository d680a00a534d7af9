import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Post } from '@/api/contract';
import { PersonFigures } from '@/components/person-figures';
import { Avatar } from '@/components/ui/avatar';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { posts } from '@/i18n/en/posts';
import { profile } from '@/i18n/en/profile';
import { profileQuery } from '@/lib/queries';
import { formatTime } from '@/lib/time';

/** How the seller's deals went. The post does not wait for it. */
function Figures({ username }: { username: string }) {
  const t = useTexts(posts);
  const c = useTexts(common);
  const seller = useQuery(profileQuery(username));
  if (seller.data) return <PersonFigures profile={seller.data} />;
  if (!seller.isError) return <Skeleton height={90} className="mt" />;
  return (
    <p className="m t14">
      {t('post.sellerFailed')}{' '}
      <button type="button" className="link" onClick={() => void seller.refetch()}>
        {c('retry')}
      </button>
    </p>
  );
}

/** Who offers it. */
export function SellerCard({ post }: { post: Post }) {
  const t = useTexts(posts);
  const p = useTexts(profile);
  const { username, profilePic } = post.createdBy;
  const { data } = useQuery(profileQuery(username));
  return (
    <section className="sec o2 sellercard" aria-label={t('post.seller')}>
      <Link to="/profile/$username" params={{ username }} className="row person2">
        <Avatar name={username} picture={profilePic} size="l" />
        <span className="fill">
          <b className="b t18">{username}</b>
          <br />
          <span className="m t14">
            {data ? p('since', { month: formatTime(data.user.createdAt, 'month') }) : t('post.seller')}
          </span>
        </span>
      </Link>
      <Figures username={username} />
    </section>
  );
}
