import { useTexts } from '@/i18n';
import { print } from '@/i18n/en/print';
import { formatTime } from '@/lib/time';

/** Date and time, always with the year, because prints are kept. */
export function fullMoment(moment: string | number): string {
  return `${formatTime(moment, 'date')}, ${formatTime(moment, 'clock')}`;
}

/** The period of a statement; an open end is when it was made. */
export function useSpan(): (from: string | number | null, last: string | number | null, madeAt: string) => string {
  const t = useTexts(print);
  return (from, last, madeAt) => {
    const to = last === null ? fullMoment(madeAt) : formatTime(last, 'date');
    return from === null ? t('until', { to }) : t('span', { from: formatTime(from, 'date'), to });
  };
}
