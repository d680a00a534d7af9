import type { TimelineEntry } from '@/api/contract';
import { CopyButton } from '@/components/copy-button';
import { Fold } from '@/components/fold';
import { Section } from '@/components/section';
import { DealPictures } from '@/entities/deal/deal-pictures';
import { isUnaccepted } from '@/entities/deal/rules';
import { isOpen } from '@/entities/deal/status';
import { eventText } from '@/entities/deal/timeline';
import { useTexts } from '@/i18n';
import { book } from '@/i18n/en/deal-page';
import { deals } from '@/i18n/en/deals';
import { formatTime } from '@/lib/time';
import { type DealView, wordsOf } from '../deal-view';

type Props = { view: DealView };
type EntryProps = Props & { entry: TimelineEntry; className: string };

export function EntryPictures({ entry: { pictures, actor }, view: { deal, side }, className }: EntryProps) {
  if (pictures.length === 0) return null;
  const from = actor?._id === deal[side]._id ? null : (actor?.username ?? '');
  return <DealPictures pictures={pictures} from={from} className={className} />;
}

/** Reports whether the terms still are an offer: not paid, or not accepted by the seller. */
const isOffer = ({ deal }: DealView): boolean => deal.status === 'Pending' || isUnaccepted(deal);

function Terms({ view: { deal } }: Props) {
  const t = useTexts(deals);
  const tBook = useTexts(book);
  return (
    <div className="grid max-w-measure gap-2">
      {deal.descriptionErased ? (
        <p className="text-muted-foreground">{t('words.erased')}</p>
      ) : (
        <p className="overflow-clip whitespace-pre-line">{wordsOf(deal.description)}</p>
      )}
      <p className="text-sm text-muted-foreground">
        {tBook('days', { count: deal.deliveryDuration })}, {tBook('check', { count: deal.inspectionDays })}
      </p>
    </div>
  );
}

/** The terms of an offer, above the hold. */
export function OfferedTerms({ view }: Props) {
  const t = useTexts(deals);
  if (!isOffer(view)) return null;
  const { deal, mine, side, other } = view;
  const name = other.username;
  const offer = mine ? t('words.yours') : t(side === 'buyer' ? 'words.offers' : 'words.wants', { name });
  return (
    <Section title={deal.terms === 1 ? offer : t('words.agreed')} size="small">
      <Terms view={view} />
    </Section>
  );
}

/** The terms once both have agreed. */
export function AgreedTerms({ view }: Props) {
  const t = useTexts(deals);
  if (isOffer(view)) return null;
  return (
    <Fold title={t('words.agreed')}>
      <Terms view={view} />
    </Fold>
  );
}

const DELIVERED: readonly string[] = ['line_delivered', 'line_shipped', 'line_reset', 'line_cancel_asked'];

/** What the delivery sent by courier, and whether it has arrived. */
export function Shipment({ view: { deal } }: Props) {
  const t = useTexts(deals);
  if (!deal.shipment) return null;
  const { courier, trackingNumber, arrivedAt, arrivesBy } = deal.shipment;
  return (
    <div>
      <p className="flex flex-wrap items-center gap-x-3">
        {t(arrivesBy ? 'shipment.onItsWay' : arrivedAt ? 'shipment.arrived' : 'shipment.sent', { courier })}
        {trackingNumber ? (
          <CopyButton value={trackingNumber} label={t('shipment.copy')} done={t('shipment.copied')} variant="link">
            {trackingNumber}
          </CopyButton>
        ) : null}
      </p>
      {arrivesBy && !deal.frozen ? (
        <p className="text-sm text-muted-foreground">{t('shipment.by', { when: formatTime(arrivesBy, 'moment') })}</p>
      ) : null}
    </div>
  );
}

/** What was said and pictured with the last delivery, or with the request to change it. */
export function LastDelivery({ view }: Props) {
  const t = useTexts(book);
  const { deal, side } = view;
  const entry = deal.timeline.findLast(({ kind }) => DELIVERED.includes(kind));
  const counts = isOpen(deal.status) || deal.status === 'Completed';
  if (!counts || !entry || (!entry.note && entry.pictures.length === 0)) return null;
  return (
    <section
      className="border-l-2 border-foreground pl-3"
      aria-label={eventText(entry, [deal.buyer, deal.seller], t, deal[side]._id) ?? entry.message}
    >
      {entry.note ? <q className="block max-w-measure overflow-clip whitespace-pre-line">{entry.note}</q> : null}
      <EntryPictures entry={entry} view={view} className="not-first:mt-2" />
    </section>
  );
}
