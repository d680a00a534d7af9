import type { DirectMessage } from '@/api/contract';
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

const GROUP_WITHIN = 5 * 60_000;

type LogRow = {
  message: DirectMessage;
  newDay: boolean;
  /** The first and the last of a group. */
  starts: boolean;
  ends: boolean;
};

function together(a: DirectMessage, b: DirectMessage): boolean {
  const [before, after] = [Date.parse(a.createdAt), Date.parse(b.createdAt)];
  return a.senderId === b.senderId && after - before <= GROUP_WITHIN && dayNumber(before) === dayNumber(after);
}

/** Groups messages by day, and by author with no more than five minutes in between. */
export function logRows(messages: readonly DirectMessage[]): LogRow[] {
  return messages.map((message, index) => {
    const before = messages[index - 1];
    const after = messages[index + 1];
    return {
      message,
      newDay: !before || dayNumber(Date.parse(before.createdAt)) !== dayNumber(Date.parse(message.createdAt)),
      starts: !before || !together(before, message),
      ends: !after || !together(message, after),
    };
  });
}
