import { useNavigate } from '@tanstack/react-router';
import { useContext } from 'react';
import { PeriodFilter } from '@/components/period-filter';
import { Section } from '@/components/section';
import { useTexts } from '@/i18n';
import { dashboard } from '@/i18n/en/dashboard';
import type { Period } from '@/lib/period-search';
import { FiguresFailure, Level } from './level';
import { ReceivedReviews } from './reviews';
import { PeriodContext, useFigures, useLifetime } from './use-figures';

function Filter() {
  const t = useTexts(dashboard);
  const navigate = useNavigate();
  const period = useContext(PeriodContext);
  const lifetime = useLifetime();
  const { data } = useFigures();
  if (lifetime && !data?.finishedDeals && !data?.reviewCount) return null;
  const choose = (chosen: Period) => void navigate({ to: '/dashboard', search: chosen, resetScroll: false });
  return <PeriodFilter label={t('period')} period={period} onPeriod={choose} />;
}

export function Record() {
  const t = useTexts(dashboard);
  return (
    <Section title={t('record')} aside={<Filter />}>
      <FiguresFailure />
      <div className="grid gap-y-8">
        <div className="grid grid-cols-2 content-start gap-x-5 wide:gap-x-8">
          <Level />
        </div>
        <ReceivedReviews />
      </div>
    </Section>
  );
}
