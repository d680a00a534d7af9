import type { TimelineEntry } from '@/api/contract';
import { type LedgerLine, LedgerLines } from '@/components/khata/ledger';
import { Section } from '@/components/khata/section';
import { type Translate, useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { amount } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { type DealView, isOpen } from './deal';

type T = Translate<typeof deals>;
type Line = Omit<LedgerLine, 'key' | 'when'>;

/** What an event means for the three columns. A kind that this version does not know is told in the server's words. */
function lineOf(entry: TimelineEntry, view: DealView, t: T): Line {
  const { deal, side, other, price, fee, payout } = view;
  const byMe = entry.actor !== null && entry.actor._id === deal[side]._id;
  const byOther = entry.actor !== null && entry.actor._id === other._id;
  if (!byMe && !byOther) return { what: entry.message };
  const name = other.username;
  switch (entry.kind) {
    case 'line_created':
      return {
        what: byMe ? t('book.youOffered') : t('book.offered', { name }),
        detail: t('book.days', { count: deal.deliveryDuration }),
        holds: { holder: 'buyer', sum: amount(price) },
      };
    case 'line_paid':
      return { what: byMe ? t('book.youPaid') : t('book.paid', { name }), holds: { holder: 'amanat', sum: amount(price) } };
    case 'line_delivered':
      return {
        what: byMe ? t('book.youDelivered') : t('book.delivered', { name }),
        holds: { holder: 'amanat', sum: amount(price) },
      };
    case 'line_completed':
      return {
        what: byMe ? t('book.youReleased') : t('book.released', { name }),
        detail: t('book.lessFee'),
        holds: { holder: 'seller', sum: amount(payout) },
        fee: t('book.fee', { fee: amount(fee) }),
      };
    default:
      return { what: entry.message };
  }
}

/** The lines still to be written while the money is in trust. */
function toCome({ deal, side, other, price, payout }: DealView, t: T): LedgerLine[] {
  if (!isOpen(deal.status)) return [];
  const buying = side === 'buyer';
  const name = other.username;
  const release: Line = {
    what: buying ? t('book.youRelease') : t('book.releases', { name }),
    detail: t('book.lessFee'),
    holds: { holder: 'seller', sum: amount(payout) },
    future: true,
  };
  if (deal.status === 'Delivered') return [{ key: 'release', when: t('book.next'), ...release }];
  const deliver: Line = {
    what: buying ? t('book.delivers', { name }) : t('book.youDeliver'),
    holds: { holder: 'amanat', sum: amount(price) },
    future: true,
  };
  return [
    { key: 'deliver', when: t('book.next'), ...deliver },
    { key: 'release', when: t('book.then'), ...release },
  ];
}

/** The deal's page of the khata: a line an event, the money's column filled. */
export function Book({ view }: { view: DealView }) {
  const t = useTexts(deals);
  const past = view.deal.timeline.map((entry) => ({
    key: entry._id,
    when: (
      <time key={entry._id} dateTime={entry.at}>
        {formatTime(entry.at, 'moment')}
      </time>
    ),
    ...lineOf(entry, view, t),
  }));
  return (
    <Section title={t('book.title')}>
      <LedgerLines label={t('book.label')} lines={[...past, ...toCome(view, t)]} />
    </Section>
  );
}
