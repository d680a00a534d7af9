import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Post } from '@/api/contract';
import { HANGING } from '@/components/classes';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { PersonFigures } from '@/entities/user/person-figures';
import { profileQuery } from '@/entities/user/queries';
import { UserAvatar } from '@/entities/user/user-avatar';
import { UserName } from '@/entities/user/user-name';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { posts } from '@/i18n/en/posts';

function Figures({ username }: { username: string }) {
  const t = useTexts(posts);
  const tCommon = useTexts(common);
  const seller = useQuery(profileQuery(username));
  if (seller.data) {
    return (
      <div className="mt-2">
        <PersonFigures profile={seller.data} />
      </div>
    );
  }
  if (!seller.isError) return <Skeleton className="mt-4 h-80" />;
  return (
    <p className="text-sm text-muted-foreground">
      {t('post.sellerFailed')}{' '}
      <Button variant="link" onClick={() => void seller.refetch()}>
        {tCommon('retry')}
      </Button>
    </p>
  );
}

export function SellerCard({ post }: { post: Post }) {
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
      <Figures username={username} />
    </section>
  );
}
