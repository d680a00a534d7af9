import type { FieldErrors, Resolver } from 'react-hook-form';
import type { Key } from '@/i18n';
import type { admin } from '@/i18n/en/admin';
import { type Cents, parseCents } from '@/lib/money';

/** What an admin credits for a deposit. `again` counts only where the amount is not what the payment is worth, `reason` where one is needed. */
export type ApprovalValues = { amount: string; again: string; reason: string };
export const APPROVAL_FIELDS = ['amount', 'again', 'reason'] as const;

/** What the user claims, and what the taka sent are worth when they are credited: the same for a day. */
export type Due = { claimed: Cents; worth: Cents };

/** A credit that differs by more than this many percent from the claimed amount is always explained. */
const FAR = 10;

type Rule = Extract<Key<typeof admin>, `rule.${string}`>;
const broken = (message: Rule) => ({ type: 'rule', message });

/** Whether the admin has typed another amount than the one that was filled in. */
export const isChanged = (cents: Cents, { worth }: Due): boolean => cents !== worth;

/** Whether the user is owed a reason. */
export const needsReason = (cents: Cents, due: Due): boolean =>
  isChanged(cents, due) || Math.abs(cents - due.claimed) * 100 > due.claimed * FAR;

/** A number above 0; another amount than the payment is worth is typed twice and explained. */
export function checkApproval(values: ApprovalValues, due: Due): FieldErrors<ApprovalValues> {
  const cents = parseCents(values.amount) ?? 0;
  if (cents <= 0) return { amount: broken('rule.amount') };
  const again = isChanged(cents, due) && parseCents(values.again) !== cents;
  const reason = needsReason(cents, due) && values.reason.trim() === '';
  return { ...(again ? { again: broken('rule.again') } : {}), ...(reason ? { reason: broken('rule.reason') } : {}) };
}

export function approvalResolver(due: Due): Resolver<ApprovalValues> {
  return (values) => {
    const errors = checkApproval(values, due);
    return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors };
  };
}
