import { Link } from '@tanstack/react-router';
import type { Deal } from '@/api/contract';
import { useDealLine } from '@/components/deal-line';
import { type Holder, holderOf } from '@/components/khata/holder';
import { StatusBadge } from '@/components/khata/status-badge';
import { TriCells, TriHeads } from '@/components/khata/strip';
import { useTexts } from '@/i18n';
import { deals as catalogue } from '@/i18n/en/deals';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';
import { amount } from '@/lib/money';
import { heldSum, STATUS_OF, titleOf } from './deal';
import { DealFlags } from './flags';
import { DealWhen } from './list-when';
import { useRelation } from './relation';
import type { Tab } from './tabs';

const HOLDERS: readonly Holder[] = ['buyer', 'amanat', 'seller'];

function whenHead(tab: Tab): 'list.due' | 'list.delivered' | 'list.closed' {
  if (tab === 'delivered') return 'list.delivered';
  return tab === 'completed' || tab === 'cancelled' ? 'list.closed' : 'list.due';
}

function Row({ deal }: { deal: Deal }) {
  const t = useTexts(catalogue);
  const line = useDealLine()(deal);
  const relation = useRelation()(deal);
  return (
    <tr>
      <td className="w-2/5 max-w-0">
        <Link to="/deal/$dealId" params={{ dealId: deal._id }} className="grid leading-[1.4] *:truncate">
          <b className="font-semibold">{titleOf(deal.description) || t('untitled')}</b>
          <span className="text-sm leading-[1.4] text-muted-foreground">
            {line.name} {relation}
          </span>
        </Link>
      </td>
      <td className={cn('text-sm', line.own ? 'font-semibold' : 'text-muted-foreground')}>
        {deal.status.startsWith('Cancelled') ? <StatusBadge status={deal.status} /> : line.text}
        <DealFlags deal={deal} className="mt-1.5 flex" />
      </td>
      <td className="text-sm whitespace-nowrap tabular-nums *:block [&>*+*]:text-muted-foreground">
        <DealWhen deal={deal} />
      </td>
      <TriCells holder={holderOf(deal.status)} sum={amount(heldSum(deal))} />
    </tr>
  );
}

type Props = {
  deals: readonly Deal[];
  /** How many more the tab has. */
  rest: number;
  tab: Tab;
};

/** The deals of a tab as a ledger: the amount stands in the column of who has it, and the foot adds up what is shown. */
export function DealTable({ deals, rest, tab }: Props) {
  const t = useTexts(catalogue);
  const k = useTexts(khata);
  const total = (holder: Holder) =>
    deals.filter((deal) => holderOf(deal.status) === holder).reduce((sum, deal) => sum + heldSum(deal), 0);
  return (
    <table className="datatable [&_.tri]:w-27 [&_:lang(bn)]:leading-[1.6] [&_td]:wrap-anywhere">
      <caption className="sr-only">{t('list.caption', { status: k(`status.${STATUS_OF[tab]}`) })}</caption>
      <thead>
        <tr>
          <th scope="col">{t('list.deal')}</th>
          <th scope="col">{t(tab === 'cancelled' ? 'list.outcome' : 'list.next')}</th>
          <th scope="col">{t(whenHead(tab))}</th>
          <TriHeads />
        </tr>
      </thead>
      <tbody>
        {deals.map((deal) => (
          <Row key={deal._id} deal={deal} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={3}>
            {rest > 0 ? t('list.totalShown', { count: deals.length }) : t('list.total')}
          </th>
          {HOLDERS.map((holder) => (
            <td key={holder} className="tri">
              {total(holder) > 0 ? (
                <span className="cash">
                  <span className="double">{amount(total(holder))}</span>
                </span>
              ) : null}
            </td>
          ))}
        </tr>
      </tfoot>
    </table>
  );
}
