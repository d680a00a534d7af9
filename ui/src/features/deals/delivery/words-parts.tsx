import type { ComponentProps } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { DialogClose } from '@/components/ui/dialog';
import { Textarea } from '@/components/ui/textarea';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { count } from '@/lib/money';
import { lengthOf } from '@/lib/rules';
import { useActionLabel, usePendingText } from '../actions/action-button';
import { DEAL_ACTIONS, type WordsAction } from '../actions/deal-actions';
import type { DealActions } from '../actions/use-deal-actions';
import type { DealView } from '../deal-view';
import { MAX_LENGTH, type WordsValues } from './delivery-schema';

const COUNTER_FROM = MAX_LENGTH - 300;

type FieldProps<V extends WordsValues> = Pick<ComponentProps<typeof FormField>, 'label' | 'help' | 'error' | 'aside'> & {
  form: UseFormReturn<V>;
};

/** The text of a delivery, a request for changes or a counter-offer. */
export function WordsField<V extends WordsValues>({ form: whole, aside, ...field }: FieldProps<V>) {
  const form = whole as unknown as UseFormReturn<WordsValues>;
  const written = lengthOf(useWatch({ control: form.control, name: 'text' }).trim());
  return (
    <FormField {...field} aside={written > COUNTER_FROM ? `${count(written)}/${count(MAX_LENGTH)}` : aside}>
      {(control) => <Textarea rows={4} {...control} {...form.register('text')} />}
    </FormField>
  );
}

type ButtonsProps = { action: WordsAction; view: DealView; actions: DealActions };

/** The form's submit button and the way back, which keeps the draft. */
export function WordsButtons({ action, view, actions }: ButtonsProps) {
  const t = useTexts(deals);
  const label = useActionLabel(view);
  const pendingText = usePendingText(action);
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2 max-xs:*:flex-auto">
      <PendingButton
        type="submit"
        variant={DEAL_ACTIONS[action].variant}
        pending={actions.isBusy(action)}
        pendingText={pendingText}
      >
        {label(action)}
      </PendingButton>
      <DialogClose asChild>
        <Button variant="outline">{t('act.notYet')}</Button>
      </DialogClose>
    </div>
  );
}
