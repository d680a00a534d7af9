import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { Field, FieldLabel } from '@/components/ui/field';
import { InputGroup } from '@/components/ui/input-group';
import { useTexts } from '@/i18n';
import { money } from '@/i18n/en/components';
import { amountText, type Currency, parseCents } from '@/lib/amount';
import { latinDigits } from '@/lib/money';
import { FieldNote } from './form-field';

type Props = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> & {
  label: ReactNode;
  /** The field's text, "480.00"; parse it with `parseCents`. */
  value: string;
  onValue: (value: string) => void;
  currency?: Currency;
  /** Under the amount, left: usually the taka ("≈ ৳58,560"). */
  under?: ReactNode;
  /** Under the amount, right: usually the rate. */
  underEnd?: ReactNode;
  help?: ReactNode;
  error?: string | undefined;
  live?: boolean;
};

/** On blur, a valid amount is formatted; for anything else a note says what to type. */
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
  onBlur,
  ...props
}: Props) {
  const t = useTexts(money);
  const id = useId();
  const noteId = `${id}-note`;
  const usd = currency === 'USD';
  const [editing, setEditing] = useState(false);
  const cents = parseCents(value, currency);
  const unread = value.trim() !== '' && cents === null && (error !== undefined || !editing);
  const note = unread ? t('amountUnread') : error;
  return (
    <Field className={className}>
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      <InputGroup className="block overflow-hidden">
        <div className="flex items-center px-3.5 pt-1.5 pb-0.5 font-display text-[32px] font-semibold tracking-[-0.02em]">
          <span aria-hidden="true">{usd ? '$' : '৳'}</span>
          <input
            className="min-h-12 w-full min-w-0 pl-0.5 lining-nums outline-none"
            id={id}
            inputMode="decimal"
            autoComplete="off"
            value={value}
            onChange={({ target }) => {
              setEditing(true);
              onValue(latinDigits(target.value));
            }}
            onBlur={(event) => {
              setEditing(false);
              if (cents !== null && !/^[\d০-৯]*[.]?[\d০-৯]*$/.test(value)) onValue(amountText(cents));
              onBlur?.(event);
            }}
            aria-invalid={note ? true : undefined}
            aria-describedby={note || help ? noteId : undefined}
            {...props}
          />
          <small className="font-sans text-sm leading-none font-semibold tracking-normal text-muted-foreground">
            {t(usd ? 'usd' : 'bdt')}
          </small>
        </div>
        {under || underEnd ? (
          <div className="flex flex-wrap justify-between gap-2 border-t bg-muted px-3.5 py-2 text-sm text-muted-foreground tabular-nums [&_b]:font-semibold [&_b]:text-foreground">
            <span>{under}</span>
            <span>{underEnd}</span>
          </div>
        ) : null}
      </InputGroup>
      <FieldNote id={noteId} help={help} error={note} live={live} />
    </Field>
  );
}
