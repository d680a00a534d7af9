import { shortId } from '@/entities/deal/title';
import type { Translate } from '@/i18n';
import type { adminRecords } from '@/i18n/en/admin';
import { type Cents, centsFromWire } from '@/lib/money';

export const ACTIONS = [
  'deposit.approve',
  'deposit.propose',
  'deposit.reject',
  'withdrawal.send',
  'withdrawal.reject',
  'correction.propose',
  'correction.confirm',
  'correction.reject',
  'correction.withdraw',
  'deal.complete',
  'deal.cancel',
  'deal.statement',
  'dispute.decide',
  'dispute.decide_appeal',
  'dispute.carry_out',
  'support.close',
  'report.decide',
  'report.appeal',
  'user.disable',
  'user.enable',
  'user.grant_admin',
  'user.revoke_admin',
  'user.verify',
  'user.hold_withdrawals',
  'user.release_withdrawals',
  'user.reset_second_factor',
  'user.statement',
  'user.trail',
  'user.end_sessions',
  'user.export',
  'user.erase',
  'operation.reject',
  'job.retry',
  'job.cancel',
  'queue.pause',
  'queue.resume',
  'pause.begin',
  'pause.end',
  'exchange_rate.set',
  'blobs.move',
  'chat.inspect',
  'database.migrate',
] as const;
type Say = Translate<typeof adminRecords>;

export function actionText(t: Say, action: string): string {
  const known = ACTIONS.find((name) => name === action);
  return known ? t(`act.${known}`) : action;
}

/** Splits a subject such as "deal:{id}" or "chat:{id}:{id}". */
export function subjectParts(subject: string): { kind: string; ids: string[] } {
  const [kind = '', ...ids] = subject.split(':');
  return { kind, ids };
}

const SUBJECTS = [
  'deposit',
  'withdrawal',
  'correction',
  'deal',
  'user',
  'exchange_rate',
  'chat',
  'report',
  'job',
  'queue',
  'pause',
  'database',
  'blobs',
] as const;
const WHOLE_IDS: readonly string[] = ['job', 'queue', 'pause', 'blobs'];

/** A subject as text: "Deal 3f2a-91c0", "Job 417". */
export function subjectText(t: Say, subject: string): string {
  const { kind, ids } = subjectParts(subject);
  const known = SUBJECTS.find((name) => name === kind);
  if (!known) return subject;
  return [t(`subject.${known}`), ...(WHOLE_IDS.includes(known) ? ids : ids.map(shortId))].join(' ');
}

/** The sum of an entry: what an admin has moved, or the price of the deal. */
export function sumOf({ amount, price }: Record<string, unknown>): Cents | null {
  const sum = amount ?? price;
  return typeof sum === 'number' ? centsFromWire(sum) : null;
}

/** Who ran an operator's command ("root@db1"); "" for admins and old entries. */
export const ranBy = (details: Record<string, unknown>): string => (typeof details.ranBy === 'string' ? details.ranBy : '');
