import { type ChangeEvent, type ComponentProps, type ReactNode, useId } from 'react';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { cn } from '@/lib/cn';
import { cleanAmount } from '@/lib/money';
import { FieldNote } from './field';

type Props = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> & {
  label: ReactNode;
  /** The text in the field, "480.00"; parse it with `parseCents`. */
  value: string;
  onValue: (value: string) => void;
  currency?: 'USD' | 'BDT';
  /** Under the amount, left: usually the taka ("≈ ৳58,560"). */
  under?: ReactNode;
  /** Under the amount, right: usually the rate. */
  underEnd?: ReactNode;
  help?: ReactNode;
  error?: string | undefined;
  /** As in a Field. */
  live?: boolean;
};

/** An amount in large figures with its taka and rate in the same frame. Takes Bangla digits; only digits and one point get in. */
export function MoneyInput({
  label,
  value,
  onValue,
  currency = 'USD',
  under,
  underEnd,
  help,
  error,
  live,
  className,
  ...props
}: Props) {
  const t = useTexts(common);
  const id = useId();
  const noteId = `${id}-note`;
  const usd = currency === 'USD';
  return (
    <div data-slot="money-input" className={cn('field', className)}>
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      <div className={cn('moneyin has-[input[readonly]]:border-border has-[input[readonly]]:bg-muted', error && 'bad')}>
        <div className="moneyin__top">
          <span aria-hidden="true">{usd ? '$' : '৳'}</span>
          <input
            id={id}
            inputMode="decimal"
            autoComplete="off"
            value={value}
            onChange={(event: ChangeEvent<HTMLInputElement>) => onValue(cleanAmount(event.target.value))}
            aria-invalid={error ? true : undefined}
            aria-describedby={error || help ? noteId : undefined}
            {...props}
          />
          <small>{t(usd ? 'usd' : 'bdt')}</small>
        </div>
        {under || underEnd ? (
          <div className="moneyin__under">
            <span>{under}</span>
            <span>{underEnd}</span>
          </div>
        ) : null}
      </div>
      <FieldNote id={noteId} help={help} error={error} live={live} />
    </div>
  );
}
