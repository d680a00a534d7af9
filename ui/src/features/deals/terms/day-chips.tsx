import { type Ref, useId, useState } from 'react';
import { FieldNote } from '@/components/form-field';
import { FieldLegend, FieldSet } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { toggleVariants } from '@/components/ui/toggle';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { cn } from '@/lib/cn';
import { count, latinDigits, localDigits } from '@/lib/money';

const CHIP = cn(
  toggleVariants(),
  'relative min-w-11 cursor-pointer justify-center px-3 has-checked:border-primary has-checked:bg-primary has-checked:font-semibold',
  'has-checked:text-primary-foreground has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring',
);

const digits = (typed: string): string => latinDigits(typed).replace(/\D/g, '').slice(0, 2);

type Props = {
  legend: string;
  /** Usual numbers of days. */
  usual: readonly string[];
  /** Days; "" while a number of one's own is missing. */
  value: string;
  onValue: (days: string) => void;
  onBlur: () => void;
  inputRef: Ref<HTMLInputElement>;
  help: string | null;
  error: string | undefined;
};

/** A number of days: one of the usual, or of one's own. */
export function DayChips({ legend, usual, value, onValue, onBlur, inputRef, help, error }: Props) {
  const t = useTexts(deals);
  const id = useId();
  const [own, setOwn] = useState(false);
  const other = own || !usual.includes(value);
  const choose = (days: string) => {
    setOwn(days === '');
    onValue(days);
  };
  const radio = (days: string, checked: boolean) => (
    <input type="radio" name={id} className="sr-only" checked={checked} onChange={() => choose(days)} />
  );
  return (
    <FieldSet>
      <FieldLegend>
        {legend} <small className="text-sm font-normal text-muted-foreground">{t('days.unit')}</small>
      </FieldLegend>
      <div className="mt-1.5 flex flex-wrap gap-2">
        {usual.map((days) => (
          <label key={days} className={CHIP}>
            {radio(days, !other && value === days)}
            {count(Number(days))} <span className="sr-only">{t('days.unit')}</span>
          </label>
        ))}
        <label className={CHIP}>
          {radio('', other)}
          {t('days.own')}
        </label>
        {other ? (
          <Input
            className="w-16"
            inputMode="numeric"
            autoComplete="off"
            aria-label={t('days.ownLabel', { what: legend })}
            aria-invalid={error ? true : undefined}
            aria-describedby={`${id}-note`}
            ref={inputRef}
            value={localDigits(value)}
            onChange={({ target }) => onValue(digits(target.value))}
            onBlur={onBlur}
          />
        ) : null}
      </div>
      <FieldNote id={`${id}-note`} help={help} error={error} />
    </FieldSet>
  );
}
