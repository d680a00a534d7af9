import { Hourglass, Snowflake, UserX } from 'lucide-react';
import type { Deal } from '@/api/contract';
import { StatusBadge } from '@/components/khata/status-badge';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { cn } from '@/lib/cn';
import { shortId, titleOf } from '@/lib/deal-title';
import { centsFromWire, usd } from '@/lib/money';
import { useNow } from '@/lib/time';
import { ageText } from './age';
import { waitsSince } from './deal-queries';
import { nextActionOf } from './next-action';
import { RowLink } from './queue-links';
import { Age, QueueRows } from './queue-table';

/** What sets a deal apart from the others: it waits for an admin, and why, or its clock stands still. */
function DealMarks({ deal }: { deal: Deal }) {
  const t = useTexts(admin);
  return (
    <>
      {deal.escalated ? (
        <span className="dmark rust b">
          <Hourglass className="i16" aria-hidden="true" /> {t('mark.escalated')}
        </span>
      ) : null}
      {deal.suspended ? (
        <span className="dmark rust b">
          <UserX className="i16" aria-hidden="true" /> {t('mark.suspended')}
        </span>
      ) : null}
      {deal.frozen && !deal.suspended ? (
        <span className="dmark">
          <Snowflake className="i16" aria-hidden="true" /> {t('mark.frozen')}
        </span>
      ) : null}
    </>
  );
}

/** Whether the badge of the status says why the deal was closed. */
const saidByStatus = ({ closeReason }: Deal): boolean => closeReason === 'completed' || closeReason === 'seller';

function Line({ deal, selected }: { deal: Deal; selected: boolean }) {
  const t = useTexts(admin);
  const now = useNow();
  const next = nextActionOf(t, deal);
  const since = waitsSince(deal);
  return (
    <tr className={cn('qrow', selected && 'sel')}>
      <td>
        <RowLink to="/admin/deals" id={deal._id}>
          <b className="b twolines">{titleOf(deal.description) || shortId(deal._id)}</b>
        </RowLink>
        <span className="m t14 clip block">{t('fromTo', { buyer: deal.buyer.username, seller: deal.seller.username })}</span>
      </td>
      <td>
        <span className="row wrapx dmarks">
          <StatusBadge status={deal.status} />
          <DealMarks deal={deal} />
        </span>
      </td>
      <td className="end">
        <span className="cash">{usd(centsFromWire(deal.price))}</span>
        <span className="m t14 block">{ageText(t, now - Date.parse(deal.createdAt))}</span>
      </td>
      <td className="end t14 dnext">
        {since === null ? null : <Age since={since} />}
        {deal.escalated || deal.frozen || saidByStatus(deal) ? null : <span className="block">{next.what}</span>}
        {next.when === null ? null : <span className="m num block">{next.when}</span>}
      </td>
    </tr>
  );
}

/** A page of the deals. */
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
