import type { DealTotals } from '@/api/contract';
import { Section } from '@/components/section';
import { useTexts } from '@/i18n';
import { dashboard } from '@/i18n/en/dashboard';
import { cn } from '@/lib/cn';
import { type Cents, centsFromWire, usdWhole } from '@/lib/money';
import { formatTime } from '@/lib/time';

type Month = { at: number; sum: Cents };

/** The sum of each of the last months, the oldest first. */
export function monthsOf(totals: DealTotals['completed']): Month[] {
  return totals.map(({ month, price }) => {
    const [year, number] = month.split('-').map(Number) as [number, number];
    // The middle of the month is in that month in every time zone.
    return { at: Date.UTC(year, number - 1, 15), sum: centsFromWire(price) };
  });
}

const MONTHS = 'grid auto-cols-fr grid-flow-col gap-1.5 px-0.5';

/** The sums of the last six months as bars; nothing without a completed deal. */
export function CompletedChart({ totals }: { totals: DealTotals['completed'] }) {
  const t = useTexts(dashboard);
  const months = monthsOf(totals);
  const most = Math.max(0, ...months.map(({ sum }) => sum));
  if (most === 0) return null;
  const label = months.map(({ at, sum }) => `${formatTime(at, 'month')} ${usdWhole(sum)}`).join(', ');
  return (
    <Section title={t('finished')} aside={<span className="text-sm text-muted-foreground">{t('finished.unit')}</span>}>
      <div role="img" aria-label={t('finished.label', { months: label })}>
        <div
          className={cn(
            MONTHS,
            'h-32 items-end border-b border-foreground bg-[repeating-linear-gradient(0deg,transparent_0_31px,var(--border)_31px_32px)]',
          )}
        >
          {months.map(({ at, sum }, index) => (
            <i
              key={at}
              className={cn(
                'relative min-h-0.5',
                index === months.length - 1 ? 'bg-foreground' : 'bg-secondary inset-ring inset-ring-border-strong',
              )}
              style={{ height: `${(88 * sum) / most}%` }}
            >
              <span className="absolute bottom-[calc(100%+4px)] left-1/2 -translate-x-1/2 bg-background px-0.75 text-xs leading-none font-semibold whitespace-nowrap not-italic tabular-nums">
                {sum === 0 ? null : usdWhole(sum)}
              </span>
            </i>
          ))}
        </div>
        <div className={cn(MONTHS, 'mt-1.5 text-center text-xs text-muted-foreground')}>
          {months.map(({ at }) => (
            <span key={at}>{formatTime(at, 'monthName')}</span>
          ))}
        </div>
      </div>
    </Section>
  );
}
