import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { admin } from '@/i18n/en/admin';
import { amountText, parseCents } from '@/lib/amount';
import { type Cents, type Poisha, toPoisha } from '@/lib/money';

/** Taka at whole taka a dollar, rounded down as the server counts them. */
export const centsOf = (poisha: Poisha, rate: number): Cents => Math.floor(poisha / rate);

/** The amount in the other currency, as text for its field; empty where there is none. */
export function inTaka(amount: string, rate: number): string {
  const cents = parseCents(amount);
  return cents === null ? '' : amountText(toPoisha(cents, rate));
}
export function inDollars(taka: string, rate: number): string {
  const poisha = parseCents(taka, 'BDT');
  return poisha === null ? '' : (centsOf(poisha, rate) / 100).toFixed(2);
}

/** What the user claims, and what the taka sent are worth when they are credited: the same for a day. */
export type Due = { claimed: Cents; worth: Cents };

/** A credit that differs by more than this many percent from the claimed amount is always explained. */
const FAR = 10;

type Rule = Extract<Key<typeof admin>, `rule.${string}`>;
const say = (rule: Rule): Rule => rule;

/** Whether the admin has typed another amount than the one that was filled in. */
export const isChanged = (cents: Cents, { worth }: Due): boolean => cents !== worth;

/** Whether the user is owed a reason. */
export const needsReason = (cents: Cents, due: Due): boolean =>
  isChanged(cents, due) || Math.abs(cents - due.claimed) * 100 > due.claimed * FAR;

/**
 * What an admin credits for a deposit: a number above 0, typed in dollars or in taka. Another amount than the payment is worth is typed twice, in
 * the same currency, and explained; `again` and `reason` count only then.
 */
export function approvalSchema(due: Due) {
  return z
    .object({
      amount: z.string().check(z.refine((typed) => (parseCents(typed) ?? 0) > 0, { error: say('rule.amount'), abort: true })),
      taka: z.string(),
      /** What was typed in last. */
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
