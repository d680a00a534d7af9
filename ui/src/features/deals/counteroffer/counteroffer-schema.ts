import * as z from 'zod/mini';
import type { Counteroffer, CounterofferBody, DealDetail } from '@/api/contract';
import type { Key } from '@/i18n';
import type { deals } from '@/i18n/en/deals';
import { type Draft, textDraft } from '@/lib/draft';
import { fits } from '../delivery/delivery-schema';
import { priceText, SERVER_TERMS, type TermsValues, termsBody, termsRules } from '../terms/terms-schema';

const LONG: Key<typeof deals> = 'text.long';

export const counterofferSchema = z.object({ ...termsRules, text: z.string().check(z.trim(), z.refine(fits, LONG)) });

export type CounterofferValues = TermsValues & { text: string };

/** Starts with the open counter-offer, or the deal's terms. */
export function startOf(deal: DealDetail): CounterofferValues {
  const { price, description, deliveryDuration, inspectionDays }: DealDetail | Counteroffer = deal.counteroffer ?? deal;
  return { price: priceText(price), description, days: String(deliveryDuration), check: String(inspectionDays), text: '' };
}

export const counterofferBody = ({ text, ...terms }: CounterofferValues): CounterofferBody => ({
  ...termsBody(terms),
  ...(text ? { text } : {}),
});

export const SERVER_FIELDS = { ...SERVER_TERMS, text: 'text' } as const;

/** Keeps changed fields only, so that they apply to whatever terms are open later. */
export function counterofferDraft(userId: string, dealId: string): Draft<CounterofferValues> {
  const draft = textDraft(`counteroffer:${userId}:${dealId}`);
  return {
    ...draft,
    keep: (values, start) => {
      const changed = Object.entries(values).filter(([field, value]) => value !== start[field as keyof CounterofferValues]);
      draft.keep<Record<string, string>>(Object.fromEntries(changed), start);
    },
  };
}
