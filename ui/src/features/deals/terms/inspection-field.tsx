import { type Ref, useId, useState } from 'react';
import { Choice, ChoiceGroup } from '@/components/choice';
import { FieldNote } from '@/components/form-field';
import { Input } from '@/components/ui/input';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { latinDigits, localDigits } from '@/lib/money';
import { INSPECTION_DAYS } from './terms-schema';

const isPlain = (days: string): boolean => INSPECTION_DAYS.some((plain) => plain === days);
const digits = (typed: string): string => latinDigits(typed).replace(/\D/g, '').slice(0, 2);

type Props = {
  /** Days; "" while a custom number is missing. */
  value: string;
  onValue: (days: string) => void;
  onBlur: () => void;
  inputRef: Ref<HTMLInputElement>;
  error: string | undefined;
};

export function InspectionField({ value, onValue, onBlur, inputRef, error }: Props) {
  const t = useTexts(deals);
  const noteId = useId();
  const [own, setOwn] = useState(() => !isPlain(value));
  const choose = (days: string) => {
    setOwn(false);
    onValue(days);
  };
  return (
    <ChoiceGroup legend={t('check.label')}>
      {INSPECTION_DAYS.map((days) => (
        <Choice
          key={days}
          name={`${noteId}-days`}
          checked={!own && value === days}
          onChange={() => choose(days)}
          label={
            <>
              <b className="font-semibold">{t('check.option', { count: Number(days) })}</b>{' '}
              <span className="text-sm text-muted-foreground">{t(`check.${days}`)}</span>
            </>
          }
        />
      ))}
      <div className="flex min-h-12 min-w-0 items-center gap-3">
        <Choice
          name={`${noteId}-days`}
          checked={own}
          onChange={() => {
            setOwn(true);
            onValue('');
          }}
          label={t('check.own')}
        />
        {own ? (
          <Input
            className="w-22"
            inputMode="numeric"
            autoComplete="off"
            aria-label={t('check.ownLabel')}
            aria-invalid={error ? true : undefined}
            aria-describedby={noteId}
            ref={inputRef}
            value={localDigits(value)}
            onChange={({ target }) => onValue(digits(target.value))}
            onBlur={onBlur}
          />
        ) : null}
      </div>
      <FieldNote id={noteId} help={t('check.help')} error={error} />
    </ChoiceGroup>
  );
}
