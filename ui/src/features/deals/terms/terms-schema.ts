import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { deals } from '@/i18n/en/deals';
import { amountText, parseCents } from '@/lib/amount';
import { centsFromWire, centsToWire } from '@/lib/money';
import { lengthOf, MAX_DESCRIPTION, MAX_PRICE } from '@/lib/rules';

const say = (key: Key<typeof deals>): Key<typeof deals> => key;

const MAX_DAYS = 99;
const MAX_CHECK = 30;

export const DELIVERY_DAYS = ['1', '3', '7', '14'] as const;
export const INSPECTION_DAYS = ['3', '10'] as const;

/** For services and goods, or for channels, pages and accounts, whose transfer is slow. */
export const suggestedDays = (slow: boolean) => (slow ? { days: '7', check: '10' } : { days: '3', check: '3' });

const isWithin = (text: string, most: number) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= most;

export const hasDays = (text: string) => isWithin(text, MAX_DAYS);

/** Zero counts as missing, as on the server. */
export const hasPrice = (text: string) => (parseCents(text) ?? 0) > 0;

/** The rules of the terms, in a new deal and a counter-offer (docs/rules.md#deal-create). */
export const termsRules = {
  price: z.string().check(
    z.refine(hasPrice, { error: say('required'), abort: true }),
    z.refine((text) => (parseCents(text) ?? 0) <= MAX_PRICE, say('price.range')),
  ),
  description: z.string().check(
    z.trim(),
    z.minLength(1, { error: say('required'), abort: true }),
    z.refine((text) => lengthOf(text) <= MAX_DESCRIPTION, say('description.long')),
  ),
  days: z.string().check(z.refine(hasDays, say('days.required'))),
  check: z.string().check(z.refine((text) => isWithin(text, MAX_CHECK), say('check.range'))),
};
export type TermsValues = { price: string; description: string; days: string; check: string };

export const termsBody = ({ price, description, days, check }: TermsValues) => ({
  price: centsToWire(parseCents(price) ?? 0),
  description,
  deliveryDuration: Number(days),
  inspectionDays: Number(check),
});

/** The form's names of the server's fields. */
export const SERVER_TERMS = {
  price: 'price',
  description: 'description',
  deliveryDuration: 'days',
  inspectionDays: 'check',
} as const;

/** A price for its field, without zero cents. */
export const priceText = (price: number): string => amountText(centsFromWire(price));
