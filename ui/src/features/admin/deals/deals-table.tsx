import { Hourglass, Snowflake, UserX } from 'lucide-react';
import type { Deal } from '@/api/contract';
import { CASH } from '@/components/classes';
import { StatusBadge } from '@/entities/deal/status-badge';
import { shortId, titleOf } from '@/entities/deal/title';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { cn } from '@/lib/cn';
import { centsFromWire, usd } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { ageText } from '../queue/age';
import { RowLink } from '../queue/queue-links';
import { QueueCell, QueueRow, QueueRows } from '../queue/queue-rows';
import { Age } from '../queue/queue-table';
import { nextActionOf } from './next-action';
import { waitingSince } from './queries';

const MARK = 'inline-flex items-center gap-1 text-sm/[1.4]';

/** Badges: waits for an admin, with the reason, or its clock is stopped. */
function DealMarks({ deal }: { deal: Deal }) {
  const t = useTexts(admin);
  return (
    <>
      {deal.escalated ? (
        <span className={cn(MARK, 'font-semibold text-destructive')}>
          <Hourglass className="size-4" aria-hidden="true" /> {t('mark.escalated')}
        </span>
      ) : null}
      {deal.suspended ? (
        <span className={cn(MARK, 'font-semibold text-destructive')}>
          <UserX className="size-4" aria-hidden="true" /> {t('mark.suspended')}
        </span>
      ) : null}
      {deal.frozen && !deal.suspended ? (
        <span className={MARK}>
          <Snowflake className="size-4" aria-hidden="true" /> {t('mark.frozen')}
        </span>
      ) : null}
    </>
  );
}

const statusGivesReason = ({ closeReason }: Deal): boolean => closeReason === 'completed' || closeReason === 'seller';

function Line({ deal, selected }: { deal: Deal; selected: boolean }) {
  const t = useTexts(admin);
  const now = useNow();
  const next = nextActionOf(t, deal);
  const since = waitingSince(deal);
  const what = deal.escalated || deal.frozen || statusGivesReason(deal) ? null : next.what;
  const nothing = since === null && what === null && next.when === null;
  return (
    <QueueRow selected={selected}>
      <QueueCell column="name">
        <RowLink to="/admin/deals" id={deal._id}>
          <b className="line-clamp-2 font-semibold wrap-anywhere">{titleOf(deal.description) || shortId(deal._id)}</b>
        </RowLink>
        <span className="block truncate text-sm/[1.4] text-muted-foreground">
          {t('fromTo', { buyer: deal.buyer.username, seller: deal.seller.username })}
        </span>
      </QueueCell>
      <QueueCell column="what" className={nothing ? 'max-wide:mr-0' : 'max-wide:mr-[50%]'}>
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
          <StatusBadge status={deal.status} />
          <DealMarks deal={deal} />
        </span>
      </QueueCell>
      <QueueCell column="sum">
        <span className={CASH}>{usd(centsFromWire(deal.price))}</span>
        <span className="block text-sm/[1.4] text-muted-foreground">{ageText(t, now - Date.parse(deal.createdAt))}</span>
      </QueueCell>
      <QueueCell column="state" className="text-sm/[1.4] max-wide:max-w-[50%]">
        {since === null ? null : (
          <span className="block">
            {t('age')} <Age since={since} />
          </span>
        )}
        {what === null ? null : <span className="block">{what}</span>}
        {next.when === null ? null : <span className="block text-muted-foreground lining-nums tabular-nums">{next.when}</span>}
      </QueueCell>
    </QueueRow>
  );
}

export function DealsTable({ deals, selected }: { deals: readonly Deal[]; selected: string | undefined }) {
  const t = useTexts(admin);
  return (
    <QueueRows label={t('deals')} heads={[t('deal'), t('status'), t('priceAndAge'), t('next')]}>
      {deals.map((deal) => (
        <Line key={deal._id} deal={deal} selected={deal._id === selected} />
      ))}
    </QueueRows>
  );
}
