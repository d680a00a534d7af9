import { currentLanguage } from '@/i18n';
import { formatTime } from '@/lib/time';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The age of a moment, "12 min ago", and its date from a day on; null below a minute. */
export function formatAgo(moment: string, now: number): string | null {
  const passed = now - Date.parse(moment);
  if (passed < MINUTE) return null;
  if (passed >= DAY) return formatTime(moment, 'day');
  const format = new Intl.RelativeTimeFormat(currentLanguage() === 'bn' ? 'bn-BD' : 'en-GB', { style: 'short' });
  return passed < HOUR
    ? format.format(-Math.floor(passed / MINUTE), 'minute')
    : format.format(-Math.floor(passed / HOUR), 'hour');
}
