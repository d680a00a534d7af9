import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Conversation, Deal, Party } from '@/api/contract';
import { MONEY } from '@/components/classes';
import { Picture } from '@/components/picture';
import { buttonVariants } from '@/components/ui/button';
import { PresenceAvatar } from '@/entities/chat/conversation-row';
import { holderOf } from '@/entities/deal/khata/holder';
import { Strip } from '@/entities/deal/khata/strip';
import { StatusBadge } from '@/entities/deal/status-badge';
import { useDealTitle } from '@/entities/deal/use-deal-line';
import { MoreMenu } from '@/entities/moderation/more-menu';
import { useAway } from '@/entities/user/away';
import { UserLink, UserName } from '@/entities/user/user-name';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { user } from '@/i18n/en/user';
import { centsFromWire, usd, usdShort } from '@/lib/money';
import { usePresence } from '@/lib/realtime/live';
import { dealsBetweenQuery } from './queries';

/** The deal shown over the messages, and the number of other open deals. */
type OpenDeals = { deal: Deal | undefined; more: number };

/** The newest deal with money in trust, or else the newest offer. */
export function useOpenDeals(me: string, other: string): OpenDeals {
  const { rows = [], total = 0 } = useQuery(dealsBetweenQuery(me, other)).data ?? {};
  return { deal: rows.find(({ status }) => holderOf(status) === 'amanat') ?? rows[0], more: total - 1 };
}

export function DealStrip({ deal, more, me, other }: OpenDeals & { me: string; other: Party }) {
  const t = useTexts(chat);
  const titleOf = useDealTitle();
  if (!deal) return null;
  const names = deal.buyer._id === me ? ([t('you'), other.username] as const) : ([other.username, t('you')] as const);
  const sum = usd(centsFromWire(deal.price));
  return (
    <Link
      to="/deal/$dealId"
      params={{ dealId: deal._id }}
      className="grid gap-2 border-b bg-muted px-gutter pt-2 pb-3 text-inherit no-underline hover:bg-secondary min-[769px]:grid-cols-[minmax(0,1fr)_minmax(0,420px)] min-[769px]:items-center min-[769px]:gap-6 min-[769px]:py-2.5"
    >
      <span className="flex min-w-0 items-center justify-between gap-2 text-md min-[769px]:justify-start">
        <span className="sr-only">{t('dealWith', { name: other.username })}</span>
        <b className="min-w-0 truncate font-semibold">{titleOf(deal)}</b>
        <StatusBadge status={deal.status} />
        {more > 0 ? (
          <span className="text-sm whitespace-nowrap text-muted-foreground">
            <span className="min-[441px]:hidden" aria-hidden="true">
              {t('moreDealsShort', { count: more })}
            </span>
            <span className="max-[440px]:sr-only">{t('moreDeals', { count: more })}</span>
          </span>
        ) : null}
      </span>
      <Strip holder={holderOf(deal.status)} names={names} className="bg-background">
        {sum}
      </Strip>
    </Link>
  );
}

export function PostStrip({ post }: { post: Conversation['post'] }) {
  const t = useTexts(chat);
  if (!post) return null;
  return (
    <Link
      to="/posts/$postId"
      params={{ postId: post._id }}
      className="flex min-h-13 items-center gap-3 border-b px-gutter py-1.5 text-md text-inherit no-underline hover:bg-muted"
    >
      {post.image === '' ? null : (
        <span className="size-10 flex-none overflow-hidden rounded-xs bg-secondary">
          <Picture className="size-full object-cover" url={post.image} alt="" sizes="40px" eager />
        </span>
      )}
      <span className="grid min-w-0 flex-1 leading-[1.3]">
        <span className="text-sm/[1.3] text-muted-foreground">{t('aboutPost')}</span>
        <b className="min-w-0 truncate font-semibold">{post.title}</b>
      </span>
      <b className={`${MONEY} text-lg`}>{usdShort(centsFromWire(post.price))}</b>
      <ChevronRight className="size-4.5 flex-none text-muted-foreground" aria-hidden="true" />
    </Link>
  );
}

type Props = {
  other: Party;
  deal: Deal | undefined;
  children: ReactNode;
};

export function ThreadHead({ other, deal, children }: Props) {
  const t = useTexts(chat);
  const tUser = useTexts(user);
  const online = usePresence(other._id) === true;
  const away = useAway(other);
  return (
    <header className="flex min-h-16 items-center gap-2 border-b px-gutter py-2 max-[769px]:pl-1">
      <Link
        to="/inbox"
        className={buttonVariants({ variant: 'ghost', size: 'icon', className: 'min-[769px]:hidden' })}
        aria-label={t('back')}
      >
        <ArrowLeft aria-hidden="true" />
      </Link>
      <UserLink user={other} className="flex min-h-12 min-w-0 items-center gap-3 leading-[1.3] no-underline">
        <PresenceAvatar person={other} online={online} />
        <span className="grid min-w-0">
          <UserName user={other} truncate className="font-semibold" />
          <span className="min-w-0 truncate text-sm/[1.3] text-muted-foreground">
            {other.closed ? tUser('closed') : (away ?? t(online ? 'online' : 'seeProfile'))}
          </span>
        </span>
      </UserLink>
      <div className="ml-auto flex flex-none items-center gap-2 max-[769px]:gap-0">
        {deal ? (
          <Link
            to="/deal/$dealId"
            params={{ dealId: deal._id }}
            className={buttonVariants({ variant: 'outline', className: 'max-[769px]:hidden' })}
          >
            {t('openDeal')}
          </Link>
        ) : null}
        {children}
        {other.closed ? null : <MoreMenu person={other} />}
      </div>
    </header>
  );
}
