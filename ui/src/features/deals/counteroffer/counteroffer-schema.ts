import * as z from 'zod/mini';
import type { Counteroffer, CounterofferBody, DealDetail } from '@/api/contract';
import type { Key } from '@/i18n';
import type { deals } from '@/i18n/en/deals';
import { type Draft, textDraft } from '@/lib/draft';
import { fits } from '../delivery/delivery-schema';
import { priceText, SERVER_TERMS, type TermsValues, termsBody, termsRules } from '../terms/terms-schema';

const LONG: Key<typeof deals> = 'text.long';

/** A counter-offer: the rules of a new deal, and a text that may be left out. */
export const counterofferSchema = z.object({ ...termsRules, text: z.string().check(z.trim(), z.refine(fits, LONG)) });

export type CounterofferValues = TermsValues & { text: string };

/** The form begins with the terms that are up for an answer, else with those of the deal. */
export function startOf(deal: DealDetail): CounterofferValues {
  const { price, description, deliveryDuration, inspectionDays }: DealDetail | Counteroffer = deal.counteroffer ?? deal;
  return { price: priceText(price), description, days: String(deliveryDuration), check: String(inspectionDays), text: '' };
}

export const counterofferBody = ({ text, ...terms }: CounterofferValues): CounterofferBody => ({
  ...termsBody(terms),
  ...(text ? { text } : {}),
});

export const SERVER_FIELDS = { ...SERVER_TERMS, text: 'text' } as const;

/** Only what was changed is kept, so that it lies over the terms that are up by then. */
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
