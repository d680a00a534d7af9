import { HttpResponse, http } from 'msw';
import type { Decision, Report } from '@/api/contract';
import { server } from './server';

const AT = '2026-11-20T05:00:00Z';

/** Nusrat's report of a message by Tanvir. */
export function aReport(over: Partial<Report> = {}): Report {
  return {
    ...{ _id: 'rep-1', subject: 'message', subjectId: 'm-1', subjectName: 'tanvir', reason: 'off_platform', text: '' },
    ...{ status: 'open', outcome: '', createdAt: AT, decidedAt: null },
    ...over,
  };
}

/** A suspension of Nusrat, open to an appeal. */
export function aDecision(over: Partial<Decision> = {}): Decision {
  return {
    ...{ _id: 'dec-1', action: 'suspend', subject: 'message', subjectId: 'm-9', subjectName: 'nusrat' },
    ...{ excerpt: 'Pay me by bKash, no deal needed.', reason: 'You asked a buyer to pay outside Amanat.' },
    ...{ until: '2026-12-04T05:00:00Z', decidedAt: AT, appeal: null, canAppeal: true, appealUntil: '2026-12-04T05:00:00Z' },
    ...over,
  };
}

/** Records the calls and sends the responses in turn; the last one repeats. */
export function onCall(method: 'post' | 'delete', path: string, ...answers: (() => Response)[]) {
  const calls: unknown[] = [];
  server.use(
    http[method](`*/api${path}`, async ({ request }) => {
      const text = await request.text();
      calls.push(text === '' ? null : JSON.parse(text));
      return (answers.length > 1 ? answers.shift() : answers[0])?.();
    }),
  );
  return calls;
}

export const blockedAnswer = () => HttpResponse.json({ message: 'You blocked this user.', outcome: 'user_blocked' });
export const unblockedAnswer = () => HttpResponse.json({ message: 'You unblocked this user.', outcome: 'user_unblocked' });
