import { Link } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { Fold } from '@/components/fold';
import { Facts } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Hold, HoldTaka } from '@/entities/deal/khata/hold';
import { holderOf, wasRefunded } from '@/entities/deal/khata/holder';
import { heldSum, refundOf } from '@/entities/deal/rules';
import { useTaka } from '@/entities/wallet/exchange-rate';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { deals } from '@/i18n/en/deals';
import { cn } from '@/lib/cn';
import { aboutBdt, usd } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { daysBetween, formatTime } from '@/lib/time';
import type { DealView } from '../deal-view';

type Props = { view: DealView };

type Notes = { buyer: string; amanat: string; seller: string };

function useNotes({ deal, side, other, price, fee }: DealView): Notes {
  const t = useTexts(deals);
  const now = useNow();
  const buying = side === 'buyer';
  const name = other.username;
  const release = buying ? t('hold.whenYouRelease') : t('hold.whenReleases', { name });
  if (deal.activatedAt === null) {
    return { buyer: t('hold.notPaid'), amanat: buying ? t('hold.onceYouPay') : t('hold.oncePays', { name }), seller: release };
  }
  const paid = t('hold.paid', { when: formatTime(deal.activatedAt, 'moment') });
  const closed = deal.closedAt === null ? '' : formatTime(deal.closedAt, 'moment');
  if (deal.status === 'Completed') {
    const buyer = refundOf(deal) > 0 ? t('hold.cameBack', { when: closed }) : paid;
    return { buyer, amanat: t('hold.fee', { fee: usd(fee) }), seller: t('hold.received', { when: closed }) };
  }
  if (wasRefunded(deal)) {
    const kept = price - heldSum(deal);
    const until = kept > 0 ? t('hold.fee', { fee: usd(kept) }) : t('hold.heldUntil', { when: closed });
    return { buyer: t('hold.cameBack', { when: closed }), amanat: until, seller: '' };
  }
  const days = daysBetween(Date.parse(deal.activatedAt), now);
  return { buyer: paid, amanat: days === 0 ? t('hold.today') : t('hold.days', { count: days }), seller: release };
}

/** At the rate at which the buyer pays, or the reader gets what is in their balance. */
function Taka({ view: { deal, side } }: Props) {
  const taka = useTaka(side === 'buyer' && !wasRefunded(deal) ? 'pays' : 'gets');
  return taka ? <HoldTaka>{aboutBdt(taka(heldSum(deal)))}</HoldTaka> : null;
}

export function DealHold({ view }: Props) {
  const t = useTexts(deals);
  const tCommon = useTexts(common);
  const { deal, side, other, price, payout } = view;
  const notes = useNotes(view);
  const holder = holderOf(deal.status);
  const returned = wasRefunded(deal);
  const note = (column: keyof Notes): ReactNode => (
    <>
      {column === holder ? <Taka view={view} /> : null}
      {notes[column]}
    </>
  );
  return (
    <section
      // Sums from a thousand dollars on shrink to the column, a third of the diagram less padding,
      // by their number of characters.
      className={cn(
        '[--letter:0.54] [:lang(bn)_&]:[--letter:0.62]',
        '[&_[data-long]>*>:nth-child(3)]:text-[min(15px,calc((29.9cqi-20px)/(var(--letters)*var(--letter))))]',
        '[&_[data-long]>[data-now]>:nth-child(3)]:text-[min(20px,calc((40.1cqi-20px)/(var(--letters)*var(--letter))))]',
        '@min-[560px]:[&_[data-long]>*>:nth-child(3)]:text-[min(24px,calc((29.9cqi-40px)/(var(--letters)*var(--letter))))]',
        '@min-[560px]:[&_[data-long]>[data-now]>:nth-child(3)]:text-[min(44px,calc((40.1cqi-40px)/(var(--letters)*var(--letter))))]',
      )}
      aria-label={t('hold.label')}
      // The longest sum must fit its column.
      style={{ '--letters': usd(price).length } as CSSProperties}
    >
      <Hold
        holder={holder}
        returned={returned}
        buyer={{
          name: side === 'buyer' ? tCommon('you') : other.username,
          sum: usd(returned ? heldSum(deal) : refundOf(deal) || price),
          note: note('buyer'),
        }}
        amanat={{ sum: usd(price), note: note('amanat') }}
        seller={{
          name: side === 'seller' ? tCommon('you') : other.username,
          sum: usd(returned ? 0 : payout),
          note: note('seller'),
        }}
      />
    </section>
  );
}

function Money({ view }: Props) {
  const t = useTexts(deals);
  const { deal, side, other, price, fee, payout } = view;
  const name = other.username;
  const buying = side === 'buyer';
  const paid = deal.activatedAt !== null;
  const done = deal.status === 'Completed';
  const returned = wasRefunded(deal);
  const pays = buying ? t(paid ? 'money.youPaid' : 'money.youPay') : t(paid ? 'money.paid' : 'money.pays', { name });
  const gets = buying ? t(done ? 'money.got' : 'money.gets', { name }) : t(done ? 'money.youGot' : 'money.youGet');
  const back = buying ? t('money.youBack') : t('money.back', { name });
  // A dispute divided the price.
  const part = done ? refundOf(deal) : 0;
  const refunded = buying ? t('money.refundedYou') : t('money.refunded', { name });
  const kept = returned ? price - heldSum(deal) : fee;
  return (
    <Facts
      rows={[
        [pays, usd(price)],
        ...(part > 0 ? [[refunded, usd(-part)] as const] : []),
        ...(kept > 0 ? [[t('money.fee'), usd(-kept)] as const] : []),
      ]}
      total={returned ? [back, usd(heldSum(deal))] : [gets, usd(payout)]}
    />
  );
}

function Dates({ view }: Props) {
  const t = useTexts(deals);
  const { deal, side, other } = view;
  const rows = (
    [
      [t('dates.created'), deal.createdAt],
      [t('dates.paid'), deal.activatedAt],
      [t('dates.delivered'), deal.deliveredAt],
      [t('dates.due'), deal.closedAt === null ? deal.dueAt : null],
      [t('dates.check'), deal.nextAction === 'complete' ? deal.nextActionAt : null],
      [side === 'buyer' ? t('dates.youExit') : t('dates.exit', { name: other.username }), deal.exitAt],
      [t('dates.refund'), deal.nextAction === 'refund' ? deal.nextActionAt : null],
      [t('dates.closed'), deal.closedAt],
    ] as const
  ).flatMap(([label, at]) => (at === null ? [] : [{ label, at }]));
  return (
    <Facts
      rows={rows.map(({ label, at }) => [
        label,
        <time key={label} dateTime={at}>
          {formatTime(at, 'moment')}
        </time>,
      ])}
    />
  );
}

/** Who pays and gets what, the dates, and the receipt. */
export function DealFigures({ view }: Props) {
  const t = useTexts(deals);
  return (
    <Fold title={t('money.title')}>
      <div className="grid gap-x-12 gap-y-4 md:grid-cols-2">
        <Money view={view} />
        <Dates view={view} />
      </div>
      {view.deal.activatedAt === null ? null : (
        <Button variant="link" className="mt-2" asChild>
          <Link to="/deal/$dealId/receipt" params={{ dealId: view.deal._id }}>
            <FileText aria-hidden="true" />
            {t('money.receipt')}
          </Link>
        </Button>
      )}
    </Fold>
  );
}
