import { texts } from '../texts';

export const buyLimit = texts('buyLimit', {
  visitor: 'New accounts buy up to {sum}.',
  member: 'Your account buys up to {sum} now.',
  wait: { one: 'Wait a day for {sum}.', other: 'Wait {count} days for {sum}.' },
  waitAll: { one: 'Wait a day, and there is no limit.', other: 'Wait {count} days, and there is no limit.' },
});
