import { useInfiniteQuery } from '@tanstack/react-query';
import { type RefObject, useRef } from 'react';
import type { BlockedUser } from '@/api/contract';
import { ShowMore } from '@/components/pager';
import { PendingButton } from '@/components/pending-button';
import { QueryPart } from '@/components/query-part';
import { Section } from '@/components/section';
import { Skeleton } from '@/components/ui/skeleton';
import { BLOCKED_PAGE, blockedQuery, useBlock } from '@/entities/moderation/blocks';
import { UserAvatar } from '@/entities/user/user-avatar';
import { UserLink, UserName } from '@/entities/user/user-name';
import { useFocusNext } from '@/hooks/use-focus';
import { useTexts } from '@/i18n';
import { moderation } from '@/i18n/en/moderation';
import { totalOf } from '@/lib/rows';
import { formatTime } from '@/lib/time';

type Heading = RefObject<HTMLElement | null>;

function Line({ user, blockedAt, heading }: BlockedUser & { heading: Heading }) {
  const t = useTexts(moderation);
  const { unblock } = useBlock(user);
  const button = useFocusNext(heading);
  const { username } = user;
  return (
    <li className="flex flex-wrap items-center gap-3 border-b py-2.5 wrap-anywhere">
      <UserAvatar name={username} picture={user.profilePic} size="sm" />
      <p className="min-w-0 flex-[1_1_140px]">
        <UserLink user={user} className="font-semibold no-underline hover:underline">
          <UserName user={user} />
        </UserLink>
        <br />
        <span className="text-sm text-muted-foreground">{t('blocked.since', { day: formatTime(blockedAt, 'day') })}</span>
      </p>
      <PendingButton
        ref={button}
        variant="outline"
        pending={unblock.isPending}
        aria-label={t('unblock', { name: username })}
        onClick={() => unblock.mutate()}
      >
        {t('unblock.short')}
      </PendingButton>
    </li>
  );
}

function People({ heading }: { heading: Heading }) {
  const t = useTexts(moderation);
  const list = useInfiniteQuery(blockedQuery);
  return (
    <QueryPart query={list} failure={t('blocked.failed')} skeleton={<Skeleton className="h-16" />}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.rows);
        if (rows.length === 0) return <p className="text-muted-foreground">{t('blocked.none')}</p>;
        return (
          <>
            <p className="text-sm text-muted-foreground">{t('blockedText')}</p>
            <ul>
              {rows.map((row) => (
                <Line key={row.user._id} {...row} heading={heading} />
              ))}
            </ul>
            <ShowMore
              rest={totalOf(pages) - rows.length}
              step={BLOCKED_PAGE}
              busy={list.isFetchingNextPage}
              error={list.isFetchNextPageError ? list.error : null}
              more={() => void list.fetchNextPage()}
            />
          </>
        );
      }}
    </QueryPart>
  );
}

export function BlockedList() {
  const t = useTexts(moderation);
  const heading = useRef<HTMLSpanElement>(null);
  return (
    <Section
      title={
        <span ref={heading} tabIndex={-1} className="focus:outline-none">
          {t('blocked')}
        </span>
      }
    >
      <People heading={heading} />
    </Section>
  );
}
