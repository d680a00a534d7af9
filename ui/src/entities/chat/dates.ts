import { translate } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { dayNumber, formatTime } from '@/lib/time';

/** The time of the last message: "11:38" today, then "Yesterday", then "14 Nov". */
export function shortDate(at: string, now: number): string {
  const days = dayNumber(now) - dayNumber(Date.parse(at));
  if (days <= 0) return formatTime(at, 'clock');
  return days === 1 ? translate(chat, 'yesterday') : formatTime(at, 'day');
}

/** The heading over a day's messages: "Today", "Yesterday", "Monday 16 November". */
export function dayHeading(at: string, now: number): string {
  const days = dayNumber(now) - dayNumber(Date.parse(at));
  if (days <= 0) return translate(chat, 'today');
  return days === 1 ? translate(chat, 'yesterday') : formatTime(at, 'weekday');
}
