import { Link } from '@tanstack/react-router';
import type { Deal } from '@/api/contract';
import { Table, TableBody, TableCaption, TableCell, TableFooter, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { type Holder, holderOf } from '@/entities/deal/khata/holder';
import { HolderCells, HolderHeads, HolderSums } from '@/entities/deal/khata/holder-cells';
import { heldSum } from '@/entities/deal/rules';
import { StatusBadge } from '@/entities/deal/status-badge';
import { useDealLine } from '@/entities/deal/use-deal-line';
import { useDealTitle } from '@/entities/deal/use-deal-title';
import { UserName } from '@/entities/user/user-name';
import { useTexts } from '@/i18n';
import { deals as catalogue } from '@/i18n/en/deals';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';
import { amount } from '@/lib/money';
import { DealFlags } from '../deal-flags';
import { useRelation } from '../use-relation';
import { DealDates } from './deal-dates';
import { STATUS_OF } from './tab-statuses';
import type { Tab } from './tabs';

function whenHead(tab: Tab): 'list.due' | 'list.delivered' | 'list.closed' {
  if (tab === 'delivered') return 'list.delivered';
  return tab === 'completed' || tab === 'cancelled' ? 'list.closed' : 'list.due';
}

function Row({ deal }: { deal: Deal }) {
  const titleOf = useDealTitle();
  const line = useDealLine()(deal);
  const relation = useRelation()(deal);
  return (
    <TableRow>
      <TableCell className="w-2/5 max-w-0">
        <Link to="/deal/$dealId" params={{ dealId: deal._id }} className="grid leading-[1.4] *:truncate">
          <b className="font-semibold">{titleOf(deal)}</b>
          <span className="text-sm/[1.4] text-muted-foreground">
            <UserName user={line.other} /> {relation}
          </span>
        </Link>
      </TableCell>
      <TableCell className={cn('text-sm', line.own ? 'font-semibold' : 'text-muted-foreground')}>
        {deal.status.startsWith('Cancelled') ? <StatusBadge status={deal.status} /> : line.text}
        <DealFlags deal={deal} className="mt-1.5 flex" />
      </TableCell>
      <TableCell className="text-sm whitespace-nowrap tabular-nums *:block [&>*+*]:text-muted-foreground">
        <DealDates deal={deal} />
      </TableCell>
      <HolderCells holder={holderOf(deal.status)} sum={amount(heldSum(deal))} />
    </TableRow>
  );
}

type Props = {
  deals: readonly Deal[];
  rest: number;
  tab: Tab;
};

/** Deals of a tab as a ledger with totals (none on the tabs of ended deals). */
export function DealTable({ deals, rest, tab }: Props) {
  const t = useTexts(catalogue);
  const tKhata = useTexts(khata);
  const total = (holder: Holder) =>
    deals.filter((deal) => holderOf(deal.status) === holder).reduce((sum, deal) => sum + heldSum(deal), 0);
  return (
    <Table className="[--tri:108px] [&_:lang(bn)]:leading-[1.6] [&_td]:wrap-anywhere">
      <TableCaption className="sr-only">{t('list.caption', { status: tKhata(`status.${STATUS_OF[tab]}`) })}</TableCaption>
      <TableHeader>
        <TableRow>
          <TableHead scope="col">{t('list.deal')}</TableHead>
          <TableHead scope="col">{t(tab === 'cancelled' ? 'list.outcome' : 'list.next')}</TableHead>
          <TableHead scope="col">{t(whenHead(tab))}</TableHead>
          <HolderHeads />
        </TableRow>
      </TableHeader>
      <TableBody>
        {deals.map((deal) => (
          <Row key={deal._id} deal={deal} />
        ))}
      </TableBody>
      {tab === 'completed' || tab === 'cancelled' ? null : (
        <TableFooter>
          <TableRow>
            <TableHead scope="row" colSpan={3}>
              {rest > 0 ? t('list.totalShown', { count: deals.length }) : t('list.total')}
            </TableHead>
            <HolderSums sumOf={(holder) => (total(holder) > 0 ? amount(total(holder)) : null)} />
          </TableRow>
        </TableFooter>
      )}
    </Table>
  );
}
