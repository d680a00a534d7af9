import { Link } from '@tanstack/react-router';
import type { Deal } from '@/api/contract';
import { Section } from '@/components/section';
import { Table, TableBody, TableCell, TableFooter, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { HOLDERS, type Holder, holderOf, wasRefunded } from '@/entities/deal/khata/holder';
import { HolderCells, HolderHeads, HolderSums } from '@/entities/deal/khata/holder-cells';
import { Strip } from '@/entities/deal/khata/strip';
import { heldSum, sideOf } from '@/entities/deal/rules';
import { StatusBadge } from '@/entities/deal/status-badge';
import { useDealLine } from '@/entities/deal/use-deal-line';
import { useDealTitle } from '@/entities/deal/use-deal-title';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { dashboard } from '@/i18n/en/dashboard';
import { khata } from '@/i18n/en/khata';
import { amount, usd } from '@/lib/money';
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

/** `total` counts all deals; `deals` are those shown and summed. */
function WideLedger({ deals, total }: { deals: readonly Deal[]; total: number }) {
  const t = useTexts(dashboard);
  const titleOf = useDealTitle();
  const textsOf = useDealTexts();
  const sumOf = (holder: Holder) =>
    deals.filter((deal) => holderOf(deal.status) === holder).reduce((sum, deal) => sum + heldSum(deal), 0);
  return (
    <Table className="hidden wide:table">
      <TableHeader>
        <TableRow>
          <TableHead scope="col">{t('deals.deal')}</TableHead>
          <TableHead scope="col">{t('deals.status')}</TableHead>
          <TableHead scope="col">{t('deals.next')}</TableHead>
          <HolderHeads />
        </TableRow>
      </TableHeader>
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
            <HolderCells holder={holderOf(deal.status)} sum={amount(heldSum(deal))} />
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

function NarrowLedger({ deals }: { deals: readonly Deal[] }) {
  const t = useTexts(khata);
  const titleOf = useDealTitle();
  const textsOf = useDealTexts();
  return (
    <div className="wide:hidden">
      <p
        className="sticky top-0 z-2 grid grid-cols-[1fr_1.2fr_1fr] bg-background py-1 text-center text-caption text-muted-foreground"
        aria-hidden="true"
      >
        {HOLDERS.map((holder) => (
          <span key={holder}>{t(holder)}</span>
        ))}
      </p>
      <ul>
        {deals.map((deal) => (
          <li key={deal._id} className="border-b">
            <Link to="/deal/$dealId" params={{ dealId: deal._id }} className="grid gap-0.5 py-3.5 no-underline">
              <b className="min-w-0 truncate font-semibold">{titleOf(deal)}</b>
              <span className="text-sm text-muted-foreground">{textsOf(deal).who}</span>
              <span className="mt-2 mb-2.5 flex min-w-0 items-center justify-between gap-3">
                <StatusBadge status={deal.status} />
                <span className="text-sm">{textsOf(deal).next}</span>
              </span>
              <Strip holder={holderOf(deal.status)} returned={wasRefunded(deal)}>
                {usd(heldSum(deal))}
              </Strip>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function DealLedger({ deals, total }: { deals: readonly Deal[]; total: number }) {
  const t = useTexts(dashboard);
  const shown = deals.slice(0, SHOWN);
  return (
    <Section title={t('deals.title')} className="wide:col-span-full" aside={<Link to="/deal">{t('deals.all')}</Link>}>
      <WideLedger deals={shown} total={total} />
      <NarrowLedger deals={shown} />
    </Section>
  );
}
