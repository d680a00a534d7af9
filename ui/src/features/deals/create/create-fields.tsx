import { useQuery } from '@tanstack/react-query';
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form';
import { Choice, ChoiceGroup } from '@/components/choice';
import { STACK } from '@/components/classes';
import { DescriptionField } from '@/components/description-field';
import { FormField } from '@/components/form-field';
import { MoneyInput } from '@/components/money-input';
import { Facts } from '@/components/section';
import { NativeSelect } from '@/components/ui/native-select';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { deals } from '@/i18n/en/deals';
import { cn } from '@/lib/cn';
import { messageOf } from '@/lib/forms';
import { aboutBdt, bdt, count, feeOf, floorRate, parseCents, toPoisha, usd } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import { type DealValues, GUEST, isGuest, MAX_DAYS } from './create-schema';
import { GuestField, GuestLink } from './guest-field';
import { InspectionField } from './inspection-field';
import { OtherPartyField } from './other-party-field';

type Form = UseFormReturn<DealValues>;

const DAYS = Array.from({ length: MAX_DAYS }, (_, index) => index + 1);
const DAY_MS = 86_400_000;

function PriceField({ form }: { form: Form }) {
  const t = useTexts(deals);
  const c = useTexts(common);
  const { data: rate } = useQuery(rateQuery);
  const whole = rate ? floorRate(rate.usdToBdt) : null;
  return (
    <Controller
      control={form.control}
      name="price"
      render={({ field, fieldState }) => (
        <MoneyInput
          label={t('price.label')}
          value={field.value}
          onValue={field.onChange}
          onBlur={field.onBlur}
          ref={field.ref}
          placeholder={count(0)}
          under={whole === null ? c('noRate') : aboutBdt(toPoisha(parseCents(field.value) ?? 0, whole))}
          underEnd={whole === null ? null : c('rate', { taka: bdt(toPoisha(100, whole)) })}
          error={messageOf(t, fieldState.error)}
        />
      )}
    />
  );
}

/** What the price means for both: the fee comes out of the seller's part. */
function Sums({ form }: { form: Form }) {
  const t = useTexts(deals);
  const [role, other, price] = useWatch({ control: form.control, name: ['role', 'other', 'price'] });
  const cents = parseCents(price) ?? 0;
  const fee = feeOf(cents);
  const name = other?.username;
  const pays = role === 'buyer' ? t('money.youPay') : role && name ? t('money.pays', { name }) : t('sum.buyerPays');
  const gets = role === 'seller' ? t('money.youGet') : role && name ? t('money.gets', { name }) : t('sum.sellerGets');
  return (
    <div className="px-3.5">
      <Facts
        rows={[
          [pays, usd(cents)],
          [t('money.fee'), usd(-fee)],
        ]}
        total={[gets, usd(cents - fee)]}
      />
    </div>
  );
}

function Description({ form }: { form: Form }) {
  const t = useTexts(deals);
  const text = useWatch({ control: form.control, name: 'description' });
  return (
    <DescriptionField
      label={t('description.label')}
      help={t('description.help')}
      error={messageOf(t, form.formState.errors.description)}
      rows={4}
      text={text}
      {...form.register('description')}
    />
  );
}

function DaysField({ form }: { form: Form }) {
  const t = useTexts(deals);
  const now = useNow();
  const days = Number(useWatch({ control: form.control, name: 'days' }));
  return (
    <FormField
      label={t('days.label')}
      help={days > 0 ? t('days.help', { when: formatTime(now + days * DAY_MS, 'moment') }) : null}
      error={messageOf(t, form.formState.errors.days)}
    >
      {(control) => (
        <NativeSelect {...control} {...form.register('days')}>
          <option value="">{t('days.choose')}</option>
          {DAYS.map((day) => (
            <option key={day} value={day}>
              {t('days.option', { count: day })}
            </option>
          ))}
        </NativeSelect>
      )}
    </FormField>
  );
}

function RoleField({ form }: { form: Form }) {
  const t = useTexts(deals);
  const error = messageOf(t, form.formState.errors.role);
  return (
    <ChoiceGroup legend={t('role.label')} error={error}>
      <div className="grid grid-cols-[1fr_1fr] gap-x-4 gap-y-1">
        {(['buyer', 'seller'] as const).map((side) => (
          <Choice
            key={side}
            value={side}
            aria-invalid={error ? true : undefined}
            label={
              <>
                <b className="leading-6 font-semibold">{t(`role.${side}`)}</b>{' '}
                <small className="block text-sm text-muted-foreground">{t(`role.${side}Text`)}</small>
              </>
            }
            {...form.register('role')}
          />
        ))}
      </div>
    </ChoiceGroup>
  );
}

/** Who, which side, how much, what, until when. */
export function CreateFields({ form }: { form: Form }) {
  const t = useTexts(deals);
  return (
    <>
      <Controller
        control={form.control}
        name="other"
        render={({ field, fieldState }) =>
          isGuest(field.value) ? (
            <GuestField form={form} onSearch={() => field.onChange(null)} />
          ) : (
            <div className={cn(STACK, 'gap-0')}>
              <OtherPartyField
                value={field.value}
                onValue={field.onChange}
                inputRef={field.ref}
                error={messageOf(t, fieldState.error)}
              />
              <GuestLink onChoose={() => field.onChange(GUEST)} />
            </div>
          )
        }
      />
      <RoleField form={form} />
      <div className={cn(STACK, 'gap-3')}>
        <PriceField form={form} />
        <Sums form={form} />
      </div>
      <Description form={form} />
      <DaysField form={form} />
      <Controller
        control={form.control}
        name="check"
        render={({ field, fieldState }) => (
          <InspectionField
            value={field.value}
            onValue={field.onChange}
            onBlur={field.onBlur}
            inputRef={field.ref}
            error={messageOf(t, fieldState.error)}
          />
        )}
      />
    </>
  );
}
