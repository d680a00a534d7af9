import * as z from 'zod/mini';
import { isPhone, isTransactionId, transactionIdOf } from '@/entities/wallet/mobile-money';
import type { Key } from '@/i18n';
import type { wallet } from '@/i18n/en/wallet';
import { parseCents } from '@/lib/amount';
import { lengthOf } from '@/lib/rules';

type Rule = Extract<Key<typeof wallet>, `rule.${string}`>;
const say = (rule: Rule): Rule => rule;

function positive(amount: string): boolean {
  return (parseCents(amount) ?? 0) > 0;
}

export const depositSchema = z.object({
  amount: z.string().check(z.minLength(1, { error: say('rule.fill'), abort: true }), z.refine(positive, say('rule.amountOrId'))),
  transactionId: z.string().check(
    z.minLength(1, { error: say('rule.fill'), abort: true }),
    z.refine((id) => id.trim() !== '', { error: say('rule.amountOrId'), abort: true }),
    z.refine((id) => isTransactionId(transactionIdOf(id)), say('rule.idFormat')),
  ),
});
export type DepositValues = z.infer<typeof depositSchema>;

export const MAX_NUMBER_NAME = 40;

/** docs/rules.md#withdrawals. Zero counts as missing; the number may be saved under a name. */
export const withdrawSchema = z.object({
  amount: z.string().check(z.refine(positive, say('rule.fill'))),
  phonenumber: z.string().check(z.minLength(1, { error: say('rule.fill'), abort: true }), z.refine(isPhone, say('rule.phone'))),
  saveAs: z.string().check(
    z.trim(),
    z.refine((name) => lengthOf(name) <= MAX_NUMBER_NAME, say('rule.name')),
  ),
});
export type WithdrawValues = z.infer<typeof withdrawSchema>;

const ORDER: readonly Rule[] = ['rule.fill', 'rule.amountOrId', 'rule.idFormat', 'rule.phone', 'rule.name'];

/** The first broken rule of all fields, for the toast. */
export function firstBrokenRule(errors: Partial<Record<string, { message?: string | undefined }>>): Rule | undefined {
  return ORDER.find((rule) => Object.values(errors).some((error) => error?.message === rule));
}
