import { useState } from 'react';
import * as z from 'zod/mini';
import type { Counteroffer, CounterofferBody, DealDetail } from '@/api/contract';
import { STACK } from '@/components/classes';
import { DialogPanel } from '@/components/dialog-panel';
import { FormFooter } from '@/components/form-footer';
import { Note } from '@/components/note';
import { Dialog } from '@/components/ui/dialog';
import { useDraftForm } from '@/hooks/use-draft-form';
import { type Key, useTexts } from '@/i18n';
import { counteroffer as catalogue } from '@/i18n/en/deal-page';
import { deals } from '@/i18n/en/deals';
import { cn } from '@/lib/cn';
import { type Draft, textDraft } from '@/lib/draft';
import type { DealActions } from '../actions/use-deal-actions';
import type { DealView } from '../deal-view';
import { fits, WordsField } from '../delivery/words-parts';
import { LimitNote } from '../failures';
import { TermsFields } from '../terms/terms-fields';
import { priceText, SERVER_TERMS, type TermsValues, termsBody, termsRules } from '../terms/terms-schema';

const LONG: Key<typeof deals> = 'text.long';

const counterofferSchema = z.object({ ...termsRules, text: z.string().check(z.trim(), z.refine(fits, LONG)) });

type CounterofferValues = TermsValues & { text: string };

/** Starts with the open counter-offer, or the deal's terms. */
function startOf(deal: DealDetail): CounterofferValues {
  const { price, description, deliveryDuration, inspectionDays }: DealDetail | Counteroffer = deal.counteroffer ?? deal;
  return { price: priceText(price), description, days: String(deliveryDuration), check: String(inspectionDays), text: '' };
}

const counterofferBody = ({ text, ...terms }: CounterofferValues): CounterofferBody => ({
  ...termsBody(terms),
  ...(text ? { text } : {}),
});

const SERVER_FIELDS = { ...SERVER_TERMS, text: 'text' } as const;

/** Keeps changed fields only, so that they apply to whatever terms are open later. */
function counterofferDraft(userId: string, dealId: string): Draft<CounterofferValues> {
  const draft = textDraft(`counteroffer:${userId}:${dealId}`);
  return {
    ...draft,
    keep: (values, start) => {
      const changed = Object.entries(values).filter(([field, value]) => value !== start[field as keyof CounterofferValues]);
      draft.keep<Record<string, string>>(Object.fromEntries(changed), start);
    },
  };
}

type Props = { view: DealView; actions: DealActions };

/** Reports whether the other party has made an offer since the form was opened. */
function useIsNewer({ deal, side }: DealView): boolean {
  const { counteroffer } = deal;
  const [seen] = useState(counteroffer?._id);
  return counteroffer !== undefined && counteroffer._id !== seen && counteroffer.madeBy !== deal[side]._id;
}

function CounterofferForm({ view, actions }: Props) {
  const tDeals = useTexts(deals);
  const t = useTexts(catalogue);
  const { deal, side, other } = view;
  const { make } = actions.counteroffer;
  const name = other.username;
  const isNewer = useIsNewer(view);
  const { form, submit, errorOf } = useDraftForm({
    schema: counterofferSchema,
    t: tDeals,
    empty: startOf(deal),
    server: { fields: SERVER_FIELDS },
    draft: counterofferDraft(deal[side]._id, deal._id),
    mutation: make,
    onSubmit: (values) => make.mutateAsync(counterofferBody(values)),
  });
  return (
    <form className={cn(STACK, 'mt-4 gap-6')} noValidate onSubmit={submit}>
      <TermsFields form={form} side={side} name={name} daysHelp={(when) => t('form.days', { name, when })} />
      <WordsField
        form={form}
        label={t('form.message', { name })}
        aside={t('form.optional')}
        help={t('form.messageHelp')}
        error={errorOf('text')}
      />
      <div role="alert" className="empty:absolute">
        {isNewer ? <Note kind="wait">{t('form.newer', { name })}</Note> : null}
      </div>
      <LimitNote error={make.error} />
      <FormFooter pending={make.isPending} cancel={tDeals('act.notYet')} onCancel={actions.close}>
        {t('form.send')}
      </FormFooter>
    </form>
  );
}

export default function CounterofferDialog({ view, actions }: Props) {
  const t = useTexts(catalogue);
  return (
    <Dialog
      open={actions.asked === 'terms'}
      onOpenChange={(open) => {
        if (!open) actions.close();
      }}
    >
      <DialogPanel
        // Scrolls a focused field into view with its label.
        className="scroll-pt-22 scroll-pb-6"
        title={t('propose')}
        description={t('form.text', { name: view.other.username })}
      >
        <CounterofferForm view={view} actions={actions} />
      </DialogPanel>
    </Dialog>
  );
}
