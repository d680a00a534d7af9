import { Link } from '@tanstack/react-router';
import type { Deal } from '@/api/contract';
import { CARD_CELL } from '@/components/classes';
import { Table, TableBody, TableCaption, TableCell, TableFooter, TableHead, TableRow } from '@/components/ui/table';
import { type Holder, holderOf, wasRefunded } from '@/entities/deal/khata/holder';
import { HolderCells, HolderHeader, HolderSums } from '@/entities/deal/khata/holder-cells';
import { heldSum } from '@/entities/deal/rules';
import { StatusBadge } from '@/entities/deal/status-badge';
import { useDealLine, useDealTitle } from '@/entities/deal/use-deal-line';
import { UserName } from '@/entities/user/user-name';
import { useTexts } from '@/i18n';
import { deals as catalogue } from '@/i18n/en/deals';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';
import { amount } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { DueText } from '../countdown';
import { DealFlags, useRelation } from '../deal-flags';
import { STATUS_OF } from './queries';
import type { Tab } from './tabs';

function whenHead(tab: Tab): 'list.due' | 'list.delivered' | 'list.closed' {
  if (tab === 'delivered') return 'list.delivered';
  return tab === 'completed' || tab === 'cancelled' ? 'list.closed' : 'list.due';
}

const dateOf = (deal: Deal): string => deal.closedAt ?? (deal.status === 'Delivered' ? deal.deliveredAt : null) ?? deal.dueAt;

function Row({ deal }: { deal: Deal }) {
  const titleOf = useDealTitle();
  const line = useDealLine()(deal);
  const relation = useRelation()(deal);
  return (
    <TableRow className="max-wide:relative max-wide:grid max-wide:grid-cols-[minmax(0,1fr)_auto] max-wide:items-baseline max-wide:gap-x-4 max-wide:gap-y-0.5 max-wide:border-b max-wide:py-4">
      <TableCell className={cn(CARD_CELL, 'max-w-0 max-wide:col-span-full max-wide:max-w-none max-wide:min-w-0 wide:w-2/5')}>
        <Link
          to="/deal/$dealId"
          params={{ dealId: deal._id }}
          className="grid leading-[1.4] max-wide:gap-0.5 max-wide:after:absolute max-wide:after:inset-0 wide:*:truncate"
        >
          <b className="font-semibold">{titleOf(deal)}</b>
          <span className="truncate text-sm/[1.4] text-muted-foreground">
            <UserName user={line.other} /> {relation}
          </span>
        </Link>
      </TableCell>
      <TableCell className="text-sm max-wide:contents max-wide:text-sm/[1.4]">
        <span className={cn('max-wide:order-1 max-wide:mt-2', line.own ? 'font-semibold' : 'text-muted-foreground')}>
          {deal.status.startsWith('Cancelled') ? <StatusBadge status={deal.status} /> : line.text}
        </span>
        <DealFlags deal={deal} className="mt-1.5 flex max-wide:order-4 max-wide:col-span-full max-wide:mt-1" />
      </TableCell>
      <TableCell className="text-sm whitespace-nowrap tabular-nums max-wide:contents max-wide:text-sm/[1.4]">
        <span className="block empty:hidden max-wide:order-3 max-wide:col-span-full max-wide:text-muted-foreground max-wide:lining-nums">
          {deal.closedAt !== null || deal.status === 'Delivered' ? null : (
            <DueText dueAt={deal.dueAt} deliveryDuration={deal.deliveryDuration} />
          )}
        </span>
        <time
          dateTime={dateOf(deal)}
          className="block not-first:text-muted-foreground max-wide:order-2 max-wide:mt-2 max-wide:lining-nums"
        >
          {formatTime(dateOf(deal), 'moment')}
        </time>
      </TableCell>
      <HolderCells holder={holderOf(deal.status)} sum={heldSum(deal)} returned={wasRefunded(deal)} />
    </TableRow>
  );
}

type Props = {
  deals: readonly Deal[];
  rest: number;
  tab: Tab;
};

/**
 * Deals of a tab as a ledger with totals (none on the tabs of ended deals); on a phone, as cards.
 */
export function DealTable({ deals, rest, tab }: Props) {
  const t = useTexts(catalogue);
  const tKhata = useTexts(khata);
  const total = (holder: Holder) =>
    deals.filter((deal) => holderOf(deal.status) === holder).reduce((sum, deal) => sum + heldSum(deal), 0);
  return (
    <Table className="[--tri:108px] max-wide:block max-wide:wrap-anywhere [&_:lang(bn)]:leading-[1.6] [&_td]:wrap-anywhere">
      <TableCaption className="sr-only">{t('list.caption', { status: tKhata(`status.${STATUS_OF[tab]}`) })}</TableCaption>
      <HolderHeader>
        <TableHead scope="col" className="max-wide:hidden">
          {t('list.deal')}
        </TableHead>
        <TableHead scope="col" className="max-wide:hidden">
          {t(tab === 'cancelled' ? 'list.outcome' : 'list.next')}
        </TableHead>
        <TableHead scope="col" className="max-wide:hidden">
          {t(whenHead(tab))}
        </TableHead>
      </HolderHeader>
      <TableBody className="max-wide:block">
        {deals.map((deal) => (
          <Row key={deal._id} deal={deal} />
        ))}
      </TableBody>
      {tab === 'completed' || tab === 'cancelled' ? null : (
        <TableFooter className="max-wide:hidden">
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
