import type { FieldErrors, Resolver } from 'react-hook-form';
import type { Key } from '@/i18n';
import type { admin } from '@/i18n/en/admin';
import { type Cents, parseCents } from '@/lib/money';

/** What an admin credits for a deposit. `again` and `reason` count only where the amount differs from the claimed one. */
export type ApprovalValues = { amount: string; again: string; reason: string };
export const APPROVAL_FIELDS = ['amount', 'again', 'reason'] as const;

type Rule = Extract<Key<typeof admin>, `rule.${string}`>;
const broken = (message: Rule) => ({ type: 'rule', message });

/** A number above 0 (SPEC §5); another amount than claimed is typed twice and explained. */
export function checkApproval(values: ApprovalValues, claimed: Cents): FieldErrors<ApprovalValues> {
  const cents = parseCents(values.amount) ?? 0;
  if (cents <= 0) return { amount: broken('rule.amount') };
  if (cents === claimed) return {};
  return {
    ...(parseCents(values.again) === cents ? {} : { again: broken('rule.again') }),
    ...(values.reason.trim() === '' ? { reason: broken('rule.reason') } : {}),
  };
}

export function approvalResolver(claimed: Cents): Resolver<ApprovalValues> {
  return (values) => {
    const errors = checkApproval(values, claimed);
    return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors };
  };
}
