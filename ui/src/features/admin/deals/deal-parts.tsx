import type { ReactNode } from 'react';
import type { Deal, DealDetail } from '@/api/contract';
import { CopyButton } from '@/components/copy-button';
import { Facts, Section } from '@/components/section';
import { Skeleton } from '@/components/ui/skeleton';
import { DealPictures } from '@/entities/deal/deal-pictures';
import { StatusBadge } from '@/entities/deal/status-badge';
import { eventText } from '@/entities/deal/timeline';
import { titleOf } from '@/entities/deal/title';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { book } from '@/i18n/en/deal-page';
import { centsFromWire, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { PersonLink } from '../review/review-parts';
import { nextActionOf } from './next-action';

type Row = readonly [string, ReactNode];

function useDealRows(deal: Deal): Row[] {
  const t = useTexts(admin);
  const moment = (label: 'created' | 'paidAt' | 'deliveredAt' | 'due' | 'exit', at: string | null): Row[] =>
    at === null ? [] : [[t(label), formatTime(at, 'moment')]];
  const next = nextActionOf(t, deal);
  const request: Row[] = deal.cancellationRequested
    ? [[t('request'), t('request.open')]]
    : deal.cancellationDeclined
      ? [[t('request'), t('request.declined')]]
      : [];
  const back: Row[] = deal.refund === null ? [] : [[t('refunded'), usd(centsFromWire(deal.refund))]];
  return [
    [t('buyer'), <PersonLink key="buyer" person={deal.buyer} />],
    [t('seller'), <PersonLink key="seller" person={deal.seller} />],
    [t('price'), usd(centsFromWire(deal.price))],
    [t('feeAndPayout'), `${usd(centsFromWire(deal.fee))} · ${usd(centsFromWire(deal.payout))}`],
    ...back,
    ...moment('created', deal.createdAt),
    ...moment('paidAt', deal.activatedAt),
    ...moment('due', deal.closedAt === null ? deal.dueAt : null),
    ...moment('deliveredAt', deal.deliveredAt),
    ...moment('exit', deal.exitAt),
    ...request,
    [t(deal.closedAt === null ? 'next' : 'closed'), next.when === null ? next.what : `${next.what}, ${next.when}`],
  ];
}

export function DealFacts({ deal }: { deal: Deal }) {
  const t = useTexts(admin);
  return (
    <>
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-3">
        <StatusBadge status={deal.status} />
        <CopyButton value={deal._id} label={t('copy.dealId')} done={t('dealIdCopied')}>
          {t('copyDealId')}
        </CopyButton>
      </div>
      <Facts rows={useDealRows(deal)} />
      {titleOf(deal.description).length < deal.description.trim().length - 1 ? (
        <p className="overflow-clip wrap-anywhere whitespace-pre-line">{deal.description}</p>
      ) : null}
    </>
  );
}

/** The events, newest first. Unknown kinds have the server's text. */
export function Timeline({ deal, failed }: { deal: DealDetail | undefined; failed: boolean }) {
  const t = useTexts(admin);
  const tBook = useTexts(book);
  return (
    <Section title={t('timeline')} size="small">
      {failed ? <p className="text-sm text-muted-foreground">{t('timelineFailed')}</p> : null}
      {deal ? (
        <ol className="grid gap-2.5 text-md">
          {deal.timeline.toReversed().map((entry) => (
            <li key={entry._id}>
              {eventText(entry, [deal.buyer, deal.seller], tBook) ?? entry.message}
              {entry.note ? <q className="block overflow-clip wrap-anywhere whitespace-pre-line">{entry.note}</q> : null}
              {entry.pictures.length > 0 ? (
                <DealPictures pictures={entry.pictures} from={entry.actor?.username ?? ''} className="my-1" />
              ) : null}
              <time className="block text-sm text-muted-foreground" dateTime={entry.at}>
                {formatTime(entry.at, 'moment')}
              </time>
            </li>
          ))}
        </ol>
      ) : (
        !failed && <Skeleton className="h-24" />
      )}
    </Section>
  );
}
