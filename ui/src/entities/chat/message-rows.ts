import type { DirectMessage } from '@/api/contract';
import { dayNumber } from '@/lib/time';

const GROUP_WITHIN = 5 * 60_000;

export type LogRow = {
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
