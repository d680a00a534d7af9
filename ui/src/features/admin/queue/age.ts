import type { Translate } from '@/i18n';
import type { admin } from '@/i18n/en/admin';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago a moment was: "under 1 min", "46 min", "2 h 28 min", "3 d 4 h". */
export function ageText(t: Translate<typeof admin>, milliseconds: number): string {
  if (milliseconds < MINUTE) return t('time.now');
  if (milliseconds < HOUR) return t('time.minutes', { minutes: Math.floor(milliseconds / MINUTE) });
  if (milliseconds < DAY) {
    return t('time.hours', {
      hours: Math.floor(milliseconds / HOUR),
      minutes: Math.floor((milliseconds % HOUR) / MINUTE),
    });
  }
  return t('time.days', { days: Math.floor(milliseconds / DAY), hours: Math.floor((milliseconds % DAY) / HOUR) });
}

/** From here on a waiting request is shown as late. */
export const LATE_AFTER = HOUR;
