import type { Translate } from '@/i18n';
import type { admin } from '@/i18n/en/admin';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** An age: "under 1 min", "46 min", "2 h", "2 h 28 min", "3 d 4 h". */
export function ageText(t: Translate<typeof admin>, milliseconds: number): string {
  if (milliseconds < MINUTE) return t('time.now');
  if (milliseconds < HOUR) return t('time.minutes', { minutes: Math.floor(milliseconds / MINUTE) });
  if (milliseconds < DAY) {
    const hours = Math.floor(milliseconds / HOUR);
    const minutes = Math.floor((milliseconds % HOUR) / MINUTE);
    return minutes === 0 ? t('time.fullHours', { hours }) : t('time.hours', { hours, minutes });
  }
  const days = Math.floor(milliseconds / DAY);
  const hours = Math.floor((milliseconds % DAY) / HOUR);
  return hours === 0 ? t('time.fullDays', { days }) : t('time.days', { days, hours });
}

export const LATE_AFTER = HOUR;
