import { useId } from 'react';
import { type Control, Controller, type FieldValues, type Path, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { STACK } from '@/components/classes';
import { MoneyInput } from '@/components/money-input';
import { type Key, useTexts } from '@/i18n';
import { disputeRoom } from '@/i18n/en/disputes';
import { parseCents } from '@/lib/amount';
import { type Cents, count, usd } from '@/lib/money';
import { type Names, partOf, percentOf, SplitFacts, splitOf } from './split';

const say = (key: Key<typeof disputeRoom>) => key;

export const splitRule = (price: Cents) =>
  z.string().check(
    z.refine((typed) => parseCents(typed) !== null, { error: say('split.missing'), abort: true }),
    z.refine((typed) => (parseCents(typed) ?? 0) <= price, say('split.over')),
  );

type Props<V extends FieldValues> = {
  control: Control<V>;
  name: Path<V>;
  price: Cents;
  names: Names;
  error: string | undefined;
};

export const typedCents = (cents: Cents): string => (cents / 100).toFixed(2);

/** Divides a price by an exact amount or a slider in percents, and shows the resulting shares. */
export function SplitField<V extends FieldValues>({ control, name, price, names, error }: Props<V>) {
  const t = useTexts(disputeRoom);
  const sliderId = useId();
  const typed = String(useWatch({ control, name }));
  const isEmpty = typed.trim() === '';
  const buyer = Math.min(parseCents(typed) ?? 0, price);
  const percent = percentOf(price, buyer);
  return (
    <div className={STACK}>
      <Controller
        control={control}
        name={name}
        render={({ field }) => (
          <>
            <MoneyInput
              label={names.buyer === null ? t('split.amountYou') : t('split.amount', { name: names.buyer })}
              ref={field.ref}
              name={field.name}
              value={String(field.value)}
              onValue={field.onChange}
              onBlur={field.onBlur}
              under={t('split.of', { sum: usd(price) })}
              underEnd={isEmpty ? null : `${count(percent)}%`}
              error={error}
              live
            />
            <label htmlFor={sliderId} className="sr-only">
              {t('split.slider')}
            </label>
            <input
              id={sliderId}
              type="range"
              min={0}
              max={100}
              value={percent}
              aria-valuetext={t('split.sliderText', { percent, sum: usd(buyer) })}
              className="h-11 w-full cursor-pointer accent-foreground"
              onChange={({ target }) => field.onChange(typedCents(partOf(price, Number(target.value))))}
            />
          </>
        )}
      />
      {isEmpty ? null : <SplitFacts split={splitOf(price, buyer)} names={names} price={price} />}
    </div>
  );
}
