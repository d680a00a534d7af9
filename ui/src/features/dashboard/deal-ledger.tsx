import { Link } from '@tanstack/react-router';
import type { Deal } from '@/api/contract';
import { CARD_CELL } from '@/components/classes';
import { Section } from '@/components/section';
import { Table, TableBody, TableCell, TableFooter, TableHead, TableRow } from '@/components/ui/table';
import { type Holder, holderOf, wasRefunded } from '@/entities/deal/khata/holder';
import { HolderCells, HolderHeader, HolderSums } from '@/entities/deal/khata/holder-cells';
import { heldSum, sideOf } from '@/entities/deal/rules';
import { StatusBadge } from '@/entities/deal/status-badge';
import { useDealLine, useDealTitle } from '@/entities/deal/use-deal-line';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { dashboard } from '@/i18n/en/dashboard';
import { cn } from '@/lib/cn';
import { amount } from '@/lib/money';
import { formatTime } from '@/lib/time';

const SHOWN = 6;

function useDealTexts() {
  const t = useTexts(dashboard);
  const me = useMe();
  const lineOf = useDealLine();
  return (deal: Deal) => {
    const { other, next, text } = lineOf(deal);
    const name = other.username;
    const done = deal.status === 'Completed';
    const buying = sideOf(deal, me._id) === 'buyer';
    const who = buying ? t(done ? 'soldToYou' : 'sellsToYou', { name }) : t(done ? 'youSold' : 'youSell', { name });
    const when = formatTime(deal.dueAt, 'moment');
    const words = () => {
      if (deal.closedAt) return t('next.closed', { when: formatTime(deal.closedAt, 'day') });
      if (next !== 'deliver' && next !== 'waitDelivery') return text;
      return t(deal.status === 'Late' ? 'next.overdue' : `next.${next}`, { when });
    };
    return { who, next: words() };
  };
}

/** A table on a wide screen, cards on a phone. `total` counts all deals, not those shown alone. */
function Ledger({ deals, total }: { deals: readonly Deal[]; total: number }) {
  const t = useTexts(dashboard);
  const titleOf = useDealTitle();
  const textsOf = useDealTexts();
  const sumOf = (holder: Holder) =>
    deals.filter((deal) => holderOf(deal.status) === holder).reduce((sum, deal) => sum + heldSum(deal), 0);
  return (
    <Table className="max-wide:block">
      <HolderHeader>
        <TableHead scope="col" className="max-wide:hidden">
          {t('deals.deal')}
        </TableHead>
        <TableHead scope="col" className="max-wide:hidden">
          {t('deals.status')}
        </TableHead>
        <TableHead scope="col" className="max-wide:hidden">
          {t('deals.next')}
        </TableHead>
      </HolderHeader>
      <TableBody className="max-wide:block">
        {deals.map((deal) => (
          <TableRow
            key={deal._id}
            className="max-wide:relative max-wide:grid max-wide:grid-cols-[auto_minmax(0,1fr)] max-wide:items-center max-wide:gap-x-3 max-wide:gap-y-0.5 max-wide:border-b max-wide:py-3.5"
          >
            <TableCell
              className={cn(CARD_CELL, 'max-w-0 max-wide:col-span-full max-wide:max-w-none max-wide:min-w-0 wide:w-[38%]')}
            >
              <Link
                to="/deal/$dealId"
                params={{ dealId: deal._id }}
                className="grid leading-[1.4] *:truncate max-wide:gap-0.5 max-wide:after:absolute max-wide:after:inset-0"
              >
                <b className="font-semibold">{titleOf(deal)}</b>
                <span className="text-sm/[1.4] text-muted-foreground">{textsOf(deal).who}</span>
              </Link>
            </TableCell>
            <TableCell className={cn(CARD_CELL, 'max-wide:mt-2')}>
              <StatusBadge status={deal.status} />
            </TableCell>
            <TableCell className={cn(CARD_CELL, 'text-sm max-wide:mt-2 max-wide:justify-self-end')}>
              {textsOf(deal).next}
            </TableCell>
            <HolderCells holder={holderOf(deal.status)} sum={heldSum(deal)} returned={wasRefunded(deal)} />
          </TableRow>
        ))}
      </TableBody>
      <TableFooter className="max-wide:hidden">
        <TableRow>
          <TableHead scope="row" colSpan={3}>
            {total > deals.length ? t('deals.holdsLatest', { count: deals.length }) : t('deals.holds')}
          </TableHead>
          <HolderSums sumOf={(holder) => amount(sumOf(holder))} />
        </TableRow>
      </TableFooter>
    </Table>
  );
}

export function DealLedger({ deals, total }: { deals: readonly Deal[]; total: number }) {
  const t = useTexts(dashboard);
  const shown = deals.slice(0, SHOWN);
  return (
    <Section title={t('deals.title')} className="wide:col-span-full" aside={<Link to="/deal">{t('deals.all')}</Link>}>
      <Ledger deals={shown} total={total} />
    </Section>
  );
}
