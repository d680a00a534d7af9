import { Link } from '@tanstack/react-router';
import type { Deal } from '@/api/contract';
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

/** `total` counts all deals, not those shown alone. */
function Ledger({ deals, total }: { deals: readonly Deal[]; total: number }) {
  const t = useTexts(dashboard);
  const titleOf = useDealTitle();
  const textsOf = useDealTexts();
  const sumOf = (holder: Holder) =>
    deals.filter((deal) => holderOf(deal.status) === holder).reduce((sum, deal) => sum + heldSum(deal), 0);
  return (
    <Table>
      <HolderHeader>
        <TableHead scope="col">{t('deals.deal')}</TableHead>
        <TableHead scope="col">{t('deals.status')}</TableHead>
        <TableHead scope="col">{t('deals.next')}</TableHead>
      </HolderHeader>
      <TableBody>
        {deals.map((deal) => (
          <TableRow key={deal._id}>
            <TableCell className="w-[38%] max-w-0">
              <Link to="/deal/$dealId" params={{ dealId: deal._id }} className="grid leading-[1.4] *:truncate">
                <b className="font-semibold">{titleOf(deal)}</b>
                <span className="text-sm/[1.4] text-muted-foreground">{textsOf(deal).who}</span>
              </Link>
            </TableCell>
            <TableCell>
              <StatusBadge status={deal.status} />
            </TableCell>
            <TableCell className="text-sm">{textsOf(deal).next}</TableCell>
            <HolderCells holder={holderOf(deal.status)} sum={heldSum(deal)} returned={wasRefunded(deal)} />
          </TableRow>
        ))}
      </TableBody>
      <TableFooter>
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

/** In a wide window; a phone has the list of deals. */
export function DealLedger({ deals, total }: { deals: readonly Deal[]; total: number }) {
  const t = useTexts(dashboard);
  const shown = deals.slice(0, SHOWN);
  return (
    <Section title={t('deals.title')} className="mb-14" aside={<Link to="/deal">{t('deals.all')}</Link>}>
      <Ledger deals={shown} total={total} />
    </Section>
  );
}
