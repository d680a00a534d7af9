import { getRouteApi } from '@tanstack/react-router';
import { Page } from '@/components/page';
import { PeriodFilter } from '@/components/period-filter';
import { useTexts } from '@/i18n';
import { adminDashboard } from '@/i18n/en/admin-dashboard';
import { daysOf } from '@/lib/period';
import type { Period } from '@/lib/period-search';
import { Rates } from './rates';
import { Totals } from './totals';
import { Trends } from './trends';
import { Waits } from './waits';
import './dashboard.css';

const route = getRouteApi('/_admin/admin/dashboard');

/** /admin/dashboard: what waits now, what the chosen days came to, and the exchange rate. */
export function DashboardPage() {
  const t = useTexts(adminDashboard);
  const period = route.useSearch();
  const range = daysOf(period);
  const navigate = route.useNavigate();
  const choose = (chosen: Period) => void navigate({ search: chosen, resetScroll: false });
  return (
    <Page title={t('page')} bare className="queue adash">
      <h1 className="d32">{t('title')}</h1>
      <Waits />
      <div className="adash__range">
        <h2 className="d24">{t('totals')}</h2>
        <PeriodFilter period={period} onPeriod={choose} />
      </div>
      <Totals range={range} />
      <Trends range={range} />
      <Rates />
    </Page>
  );
}
