import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { admin } from '@/i18n/en/admin';
import { amountText, parseCents } from '@/lib/amount';
import { type Cents, type Poisha, toPoisha } from '@/lib/money';

/** Converts at whole taka per dollar, rounded down as on the server. */
export const centsOf = (poisha: Poisha, rate: number): Cents => Math.floor(poisha / rate);

export function inTaka(amount: string, rate: number): string {
  const cents = parseCents(amount);
  return cents === null ? '' : amountText(toPoisha(cents, rate));
}
export function inDollars(taka: string, rate: number): string {
  const poisha = parseCents(taka, 'BDT');
  return poisha === null ? '' : (centsOf(poisha, rate) / 100).toFixed(2);
}

/** The claimed amount, and the current worth of the taka sent. */
export type Due = { claimed: Cents; worth: Cents };

/** Larger differences from the claim, in percent, always need a reason. */
const REASON_ABOVE = 10;

type Rule = Extract<Key<typeof admin>, `rule.${string}`>;
const say = (rule: Rule): Rule => rule;

export const isChanged = (cents: Cents, { worth }: Due): boolean => cents !== worth;

export const needsReason = (cents: Cents, due: Due): boolean =>
  isChanged(cents, due) || Math.abs(cents - due.claimed) * 100 > due.claimed * REASON_ABOVE;

/**
 * The credit for a deposit: above 0, in dollars or taka. An amount other than the payment's worth
 * is typed twice in the same currency and needs a reason.
 */
export function approvalSchema(due: Due) {
  return z
    .object({
      amount: z.string().check(z.refine((typed) => (parseCents(typed) ?? 0) > 0, { error: say('rule.amount'), abort: true })),
      taka: z.string(),
      typed: z.enum(['usd', 'bdt']),
      again: z.string(),
      reason: z.string(),
    })
    .check(
      z.refine(
        ({ amount, taka, typed, again }) =>
          !isChanged(parseCents(amount) ?? 0, due) ||
          (typed === 'usd' ? parseCents(again) === parseCents(amount) : parseCents(again, 'BDT') === parseCents(taka, 'BDT')),
        {
          error: say('rule.again'),
          path: ['again'],
        },
      ),
      z.refine(({ amount, reason }) => !needsReason(parseCents(amount) ?? 0, due) || reason.trim() !== '', {
        error: say('rule.reason'),
        path: ['reason'],
      }),
    );
}
export type ApprovalValues = z.infer<ReturnType<typeof approvalSchema>>;
