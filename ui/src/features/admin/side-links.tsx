import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowDownToLine, ArrowUpFromLine, BadgeDollarSign, Bug, Handshake, Keyboard, LifeBuoy, Mail } from 'lucide-react';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { adminFeedback } from '@/i18n/en/admin-feedback';
import { bdt, centsFromWire, count } from '@/lib/money';
import { rateQuery } from '@/lib/queries';
import { dealsToDecideQuery, openSupportQuery } from './deal-queries';
import { depositQueueQuery, withdrawalQueueQuery } from './queries';

function Waiting({ total }: { total: number | undefined }) {
  const t = useTexts(admin);
  if (!total) return null;
  return (
    <span className="count" aria-label={t('waitingCount', { count: total })}>
      {count(total)}
    </span>
  );
}

type Props = { onRate: () => void; onKeys: () => void; onLink?: () => void };

/** The pages of the admin area with what waits in each, and what opens a dialog: the exchange rate, the keys. */
export function SideLinks({ onRate, onKeys, onLink }: Props) {
  const t = useTexts(admin);
  const f = useTexts(adminFeedback);
  const { data: deposits } = useQuery(depositQueueQuery('waiting', 1));
  const { data: withdrawals } = useQuery(withdrawalQueueQuery('waiting', 1));
  const { data: toDecide } = useQuery(dealsToDecideQuery);
  const { data: support } = useQuery(openSupportQuery);
  const { data: rate } = useQuery(rateQuery);
  return (
    <>
      <Link to="/admin/deals" activeOptions={{ includeSearch: false }} onClick={onLink}>
        <Handshake aria-hidden="true" />
        <span>{t('deals')}</span>
        <Waiting total={toDecide} />
      </Link>
      <Link to="/admin/support-requests" activeOptions={{ includeSearch: false }} onClick={onLink}>
        <LifeBuoy aria-hidden="true" />
        <span>{t('support')}</span>
        <Waiting total={support?.length} />
      </Link>
      <Link to="/admin/deposit" activeOptions={{ includeSearch: false }} onClick={onLink}>
        <ArrowDownToLine aria-hidden="true" />
        <span>{t('deposits')}</span>
        <Waiting total={deposits?.total} />
      </Link>
      <Link to="/admin/withdrawal" activeOptions={{ includeSearch: false }} onClick={onLink}>
        <ArrowUpFromLine aria-hidden="true" />
        <span>{t('withdrawals')}</span>
        <Waiting total={withdrawals?.total} />
      </Link>
      <Link to="/admin/bug-reports" activeOptions={{ includeSearch: false }} onClick={onLink}>
        <Bug aria-hidden="true" />
        <span>{f('bugs')}</span>
      </Link>
      <Link to="/admin/contact-messages" activeOptions={{ includeSearch: false }} onClick={onLink}>
        <Mail aria-hidden="true" />
        <span>{f('contacts')}</span>
      </Link>
      <button type="button" onClick={onRate}>
        <BadgeDollarSign aria-hidden="true" />
        <span>{t('rate')}</span>
        {rate ? <span className="side__rate num">{bdt(centsFromWire(rate.usdToBdt))}</span> : null}
      </button>
      <button type="button" onClick={onKeys}>
        <Keyboard aria-hidden="true" />
        <span>{t('keys.title')}</span>
      </button>
    </>
  );
}
