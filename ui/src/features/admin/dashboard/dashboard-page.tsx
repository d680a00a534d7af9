import { getRouteApi } from '@tanstack/react-router';
import { PeriodFilter } from '@/components/period-filter';
import { useTexts } from '@/i18n';
import { adminDashboard } from '@/i18n/en/admin-dashboard';
import { daysOf } from '@/lib/period';
import type { Period } from '@/lib/period-search';
import { AdminMain } from '../frame/admin-main';
import { OpenWork } from './open-work';
import { Rates } from './rates';
import { Totals } from './totals';
import { Trends } from './trends';

const route = getRouteApi('/_admin/admin/dashboard');

/** /admin/dashboard: open work, the totals of a period, and the exchange rate. */
export function AdminDashboardPage() {
  const t = useTexts(adminDashboard);
  const period = route.useSearch();
  const range = daysOf(period);
  const navigate = route.useNavigate();
  const choose = (chosen: Period) => void navigate({ search: chosen, resetScroll: false });
  return (
    <AdminMain title={t('page')}>
      <h1 className="mb-5 font-display text-display-md">{t('title')}</h1>
      <OpenWork />
      <div className="mt-10 mb-5 flex flex-wrap justify-between gap-x-6 gap-y-3">
        <h2 className="font-display text-display-sm">{t('totals')}</h2>
        <PeriodFilter period={period} onPeriod={choose} />
      </div>
      <Totals range={range} />
      <Trends range={range} />
      <Rates />
    </AdminMain>
  );
}
