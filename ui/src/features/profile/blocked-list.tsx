import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { BlockedUser } from '@/api/contract';
import { LoadFailed } from '@/components/load-failed';
import { PendingButton } from '@/components/pending-button';
import { Section } from '@/components/section';
import { ShowMore } from '@/components/show-more';
import { buttonVariants } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { BLOCKED_PAGE, blockedQuery, useBlock } from '@/entities/moderation/blocks';
import { UserAvatar } from '@/entities/user/user-avatar';
import { UserName } from '@/entities/user/user-name';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { moderation } from '@/i18n/en/moderation';
import { totalOf } from '@/lib/rows';
import { formatTime } from '@/lib/time';

function Line({ user, blockedAt }: BlockedUser) {
  const t = useTexts(moderation);
  const c = useTexts(common);
  const { unblock } = useBlock(user);
  const { username } = user;
  return (
    <li className="flex flex-wrap items-center gap-3 border-b py-2.5 wrap-anywhere">
      <UserAvatar name={username} picture={user.profilePic} size="sm" />
      <p className="min-w-0 flex-[1_1_140px]">
        <Link to="/profile/$username" params={{ username }} className="font-semibold no-underline hover:underline">
          <UserName user={user} />
        </Link>
        <br />
        <span className="text-sm text-muted-foreground">{t('blocked.since', { day: formatTime(blockedAt, 'day') })}</span>
      </p>
      <PendingButton
        variant="outline"
        pending={unblock.isPending}
        pendingText={c('sending')}
        aria-label={t('unblock', { name: username })}
        onClick={() => unblock.mutate()}
      >
        {t('unblock.short')}
      </PendingButton>
    </li>
  );
}

function People() {
  const t = useTexts(moderation);
  const list = useInfiniteQuery(blockedQuery);
  if (list.isLoadingError) {
    return <LoadFailed error={list.error} fallback={t('blocked.failed')} onRetry={() => void list.refetch()} />;
  }
  if (!list.data) return <Skeleton className="h-16" />;
  const rows = list.data.pages.flatMap((page) => page.rows);
  if (rows.length === 0) return <p className="text-muted-foreground">{t('blocked.none')}</p>;
  return (
    <>
      <p className="text-sm text-muted-foreground">{t('blockedText')}</p>
      <ul>
        {rows.map((row) => (
          <Line key={row.user._id} {...row} />
        ))}
      </ul>
      <ShowMore
        rest={totalOf(list.data.pages) - rows.length}
        step={BLOCKED_PAGE}
        busy={list.isFetchingNextPage}
        error={list.isFetchNextPageError ? list.error : null}
        more={() => void list.fetchNextPage()}
      />
    </>
  );
}

/** Whom the user has blocked, and the way to what they reported. */
export function BlockedList() {
  const t = useTexts(moderation);
  return (
    <Section
      title={t('blocked')}
      aside={
        <Link to="/reports" className={buttonVariants({ variant: 'link' })}>
          {t('toReports')}
        </Link>
      }
    >
      <People />
    </Section>
  );
}
