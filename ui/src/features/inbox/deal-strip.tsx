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

/** The deals of two that are not over: first those whose money is in trust, the newest first. */
function openDeals(deals: readonly Deal[]): Deal[] {
  const open = deals.filter(({ closedAt }) => closedAt === null);
  return [...open.filter(({ status }) => holderOf(status) === 'amanat'), ...open.filter(({ status }) => status === 'Pending')];
}

export function useOpenDeals(me: string, other: string): Deal[] {
  return openDeals(useQuery(dealsBetweenQuery(me, other)).data ?? []);
}

/** The open deal of the two, pinned over their messages: where the money is, and the way to the deal. */
export function DealStrip({ deals: [deal, ...more], me, other }: { deals: Deal[]; me: string; other: Party }) {
  const t = useTexts(chat);
  if (!deal) return null;
  const names = deal.buyer._id === me ? ([t('you'), other.username] as const) : ([other.username, t('you')] as const);
  const sum = usd(centsFromWire(deal.price));
  return (
    <Link to="/deal/$dealId" params={{ dealId: deal._id }} className="chat__deal">
      <span className="chat__dealt">
        <span className="sr">{t('dealWith')}</span>
        <b className="b clip">{titleOf(deal.description)}</b>
        <StatusBadge status={deal.status} />
        {more.length > 0 ? <span className="m t14 chat__more">{t('moreDeals', { count: more.length })}</span> : null}
      </span>
      <Strip holder={holderOf(deal.status)} names={names}>
        {sum}
      </Strip>
    </Link>
  );
}
