import { useSuspenseQuery } from '@tanstack/react-query';
import { Page } from '@/components/page';
import { Avatar } from '@/components/ui/avatar';
import { useTexts } from '@/i18n';
import { dashboard } from '@/i18n/en/dashboard';
import { dealListQuery, useMe } from '@/lib/queries';
import { formatTime } from '@/lib/time';
import { DealLedger } from './deal-ledger';
import { Figures } from './figures';
import { Waits } from './waits-list';
import './dashboard.css';

/** Where a signed-in user lands: what waits for a hand, the balance, and the deals as a ledger. */
export function Dashboard() {
  const t = useTexts(dashboard);
  const me = useMe();
  const { data: deals } = useSuspenseQuery(dealListQuery);
  return (
    <Page title={t('page')}>
      <div className="dhead">
        <div className="row g4">
          <Avatar name={me.username} picture={me.profilePic} size="l" />
          <div>
            <h1 className="d32">{me.username}</h1>
            <p className="m t14">{t('since', { month: formatTime(me.createdAt, 'month') })}</p>
          </div>
        </div>
      </div>
      <Waits deals={deals} />
      <Figures deals={deals} />
      <DealLedger deals={deals} />
    </Page>
  );
}
