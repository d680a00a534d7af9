import type { DealTotals } from '@/api/contract';
import { Section } from '@/components/khata/section';
import { useTexts } from '@/i18n';
import { dashboard } from '@/i18n/en/dashboard';
import { cn } from '@/lib/cn';
import { usdWhole } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { monthsOf } from './months';

/** What the user's deals of the last six months came to, a bar a month. Absent while nothing was completed in them. */
export function FinishedDeals({ totals }: { totals: DealTotals['completed'] }) {
  const t = useTexts(dashboard);
  const months = monthsOf(totals);
  const most = Math.max(0, ...months.map(({ sum }) => sum));
  if (most === 0) return null;
  const label = months.map(({ at, sum }) => `${formatTime(at, 'month')} ${usdWhole(sum)}`).join(', ');
  return (
    <Section title={t('finished')} aside={<span className="m t14">{t('finished.unit')}</span>}>
      <div role="img" aria-label={t('finished.label', { months: label })}>
        <div className="bars">
          {months.map(({ at, sum }, index) => (
            <i key={at} className={cn(index === months.length - 1 && 'on')} style={{ height: `${(88 * sum) / most}%` }}>
              <span>{sum === 0 ? null : usdWhole(sum)}</span>
            </i>
          ))}
        </div>
        <div className="bars-x">
          {months.map(({ at }) => (
            <span key={at}>{formatTime(at, 'monthName')}</span>
          ))}
        </div>
      </div>
    </Section>
  );
}
