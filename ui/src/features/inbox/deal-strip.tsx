import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Deal, Party } from '@/api/contract';
import { holderOf } from '@/components/khata/holder';
import { StatusBadge } from '@/components/khata/status-badge';
import { Strip } from '@/components/khata/strip';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { titleOf } from '@/lib/deal-title';
import { centsFromWire, usd } from '@/lib/money';
import { dealsBetweenQuery } from './queries';

/** The deal of two that is shown over their messages, and how many more of theirs are not over. */
export type OpenDeals = { deal: Deal | undefined; more: number };

/** Of the deals that are not over the newest one whose money is in trust; without any, the newest offer. */
export function useOpenDeals(me: string, other: string): OpenDeals {
  const { rows = [], total = 0 } = useQuery(dealsBetweenQuery(me, other)).data ?? {};
  return { deal: rows.find(({ status }) => holderOf(status) === 'amanat') ?? rows[0], more: total - 1 };
}

/** The open deal of the two, pinned over their messages: where the money is, and the way to the deal. */
export function DealStrip({ deal, more, me, other }: OpenDeals & { me: string; other: Party }) {
  const t = useTexts(chat);
  if (!deal) return null;
  const names = deal.buyer._id === me ? ([t('you'), other.username] as const) : ([other.username, t('you')] as const);
  const sum = usd(centsFromWire(deal.price));
  return (
    <Link to="/deal/$dealId" params={{ dealId: deal._id }} className="chat__deal">
      <span className="chat__dealt">
        <span className="sr">{t('dealWith', { name: other.username })}</span>
        <b className="b clip">{titleOf(deal.description)}</b>
        <StatusBadge status={deal.status} />
        {more > 0 ? <span className="m t14 chat__more">{t('moreDeals', { count: more })}</span> : null}
      </span>
      <Strip holder={holderOf(deal.status)} names={names}>
        {sum}
      </Strip>
    </Link>
  );
}
