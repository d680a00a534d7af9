import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Deal, Party } from '@/api/contract';
import { holderOf } from '@/entities/deal/khata/holder';
import { Strip } from '@/entities/deal/khata/strip';
import { StatusBadge } from '@/entities/deal/status-badge';
import { useDealTitle } from '@/entities/deal/use-deal-title';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { centsFromWire, usd } from '@/lib/money';
import { dealsBetweenQuery } from './queries';

/** The deal shown over the messages, and the number of other open deals. */
export type OpenDeals = { deal: Deal | undefined; more: number };

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
