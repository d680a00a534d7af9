import type { ComponentProps } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { DialogClose } from '@/components/ui/dialog';
import { Input } from '@/components/ui/input';
import { NativeSelect } from '@/components/ui/native-select';
import { Textarea } from '@/components/ui/textarea';
import { type Key, useTexts } from '@/i18n';
import { deals, delivery } from '@/i18n/en/deals';
import { count } from '@/lib/money';
import { lengthOf } from '@/lib/rules';
import { DEAL_ACTIONS, type Sent, type WordsAction } from '../actions/deal-actions';
import type { DealActions } from '../actions/use-deal-actions';
import { useActionLabel, usePendingText } from '../actions/use-deal-actions';
import type { DealView } from '../deal-view';

type Rule = Extract<Key<typeof delivery>, 'long' | 'changes.missing' | 'courier.missing'>;
const say = (rule: Rule): Rule => rule;

/** In characters, as the server counts them. */
const MAX_LENGTH = 2_000;

export const fits = (text: string): boolean => lengthOf(text) <= MAX_LENGTH;

const OTHER = 'other';

export const deliverySchema = z
  .object({
    text: z.string().check(z.trim(), z.refine(fits, say('long'))),
    courier: z.string(),
    otherCourier: z.string().check(z.trim()),
    trackingNumber: z.string().check(z.trim()),
  })
  .check(
    z.refine(({ courier, otherCourier }) => courier !== OTHER || otherCourier !== '', {
      path: ['otherCourier'],
      error: say('courier.missing'),
    }),
  );
export const changesSchema = z.object({
  text: z.string().check(z.trim(), z.minLength(1, { error: say('changes.missing'), abort: true }), z.refine(fits, say('long'))),
});

type WordsValues = z.infer<typeof changesSchema>;
export const EMPTY: WordsValues = { text: '' };

type DeliveryValues = z.infer<typeof deliverySchema>;
export const EMPTY_DELIVERY: DeliveryValues = { ...EMPTY, courier: '', otherCourier: '', trackingNumber: '' };

export function sentWith({ courier, otherCourier, trackingNumber }: DeliveryValues): Sent {
  return courier === '' ? {} : { courier: courier === OTHER ? otherCourier : courier, trackingNumber };
}

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

/** Brands, so not translated. */
const COURIERS = ['Sundarban', 'SA Paribahan', 'Pathao', 'Steadfast', 'RedX', 'eCourier', 'Paperfly', 'Bangladesh Post'];
const MAX_COURIER = 40;

type ShipmentProps = {
  form: UseFormReturn<DeliveryValues>;
  errorOf: (field: keyof DeliveryValues) => string | undefined;
  name: string;
};

/** The courier, if there is one, and the tracking number. */
export function ShipmentFields({ form, errorOf, name }: ShipmentProps) {
  const t = useTexts(delivery);
  const courier = useWatch({ control: form.control, name: 'courier' });
  return (
    <>
      <FormField label={t('courier')} help={courier && t('courier.help', { name })} error={errorOf('courier')}>
        {(control) => (
          <NativeSelect {...control} {...form.register('courier')}>
            <option value="">{t('courier.none')}</option>
            {COURIERS.map((brand) => (
              <option key={brand}>{brand}</option>
            ))}
            <option value={OTHER}>{t('courier.other')}</option>
          </NativeSelect>
        )}
      </FormField>
      {courier === OTHER ? (
        <FormField label={t('courier.name')} error={errorOf('otherCourier')}>
          {(control) => <Input maxLength={MAX_COURIER} {...control} {...form.register('otherCourier')} />}
        </FormField>
      ) : null}
      {courier ? (
        <FormField label={t('trackingNumber')} aside={t('optional')} error={errorOf('trackingNumber')}>
          {(control) => <Input autoComplete="off" maxLength={MAX_COURIER} {...control} {...form.register('trackingNumber')} />}
        </FormField>
      ) : null}
    </>
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
