import { type Control, Controller, type FieldErrors, useController, useWatch } from 'react-hook-form';
import { FormField } from '@/components/form-field';
import { MoneyInput } from '@/components/money-input';
import { InputGroup, InputGroupAddon, InputGroupInput } from '@/components/ui/input-group';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { messageOf } from '@/lib/forms';
import { bdt, type Cents, cleanAmount, parseCents, toPoisha, usd } from '@/lib/money';
import { ReasonField } from '../review/reason-field';
import { type ApprovalValues, type Due, isChanged, needsReason } from './approval-schema';

type Props = {
  control: Control<ApprovalValues>;
  errors: FieldErrors<ApprovalValues>;
  due: Due;
  /** Whole taka a dollar, as the deposit is counted now. */
  rate: number;
  /** Who reads the reason. */
  name: string;
  disabled: boolean;
};

function useDifference(cents: Cents, { claimed, worth }: Due): string {
  const t = useTexts(admin);
  if (cents === claimed) return t('asClaimed');
  if (cents === worth) return t('asWorth');
  return cents < claimed ? t('less', { sum: usd(claimed - cents) }) : t('more', { sum: usd(cents - claimed) });
}

/** The amount to credit; a changed one is typed twice, with the reason that the user will read. */
export function CreditFields({ control, errors, due, rate, name, disabled }: Props) {
  const t = useTexts(admin);
  const typed = useWatch({ control, name: 'amount' });
  const cents = parseCents(typed) ?? 0;
  const difference = useDifference(cents, due);
  return (
    <>
      <Controller
        control={control}
        name="amount"
        render={({ field }) => (
          <MoneyInput
            label={t('creditAmount')}
            ref={field.ref}
            value={field.value}
            onValue={field.onChange}
            onBlur={field.onBlur}
            readOnly={disabled}
            under={cents > 0 ? t('received', { taka: bdt(toPoisha(cents, rate)) }) : null}
            underEnd={cents > 0 ? difference : null}
            error={messageOf(t, errors.amount)}
          />
        )}
      />
      {cents > 0 && isChanged(cents, due) ? <Again control={control} errors={errors} disabled={disabled} /> : null}
      {cents > 0 && needsReason(cents, due) ? <Reason control={control} errors={errors} name={name} disabled={disabled} /> : null}
    </>
  );
}

function Again({ control, errors, disabled }: Pick<Props, 'control' | 'errors' | 'disabled'>) {
  const t = useTexts(admin);
  const { field: again } = useController({ control, name: 'again' });
  return (
    <FormField label={t('again')} aside={t('againWhy')} error={messageOf(t, errors.again)}>
      {(described) => (
        <InputGroup>
          <InputGroupAddon aria-hidden="true">$</InputGroupAddon>
          <InputGroupInput
            className="lining-nums tabular-nums"
            inputMode="decimal"
            autoComplete="off"
            readOnly={disabled}
            {...described}
            {...again}
            onChange={(event) => again.onChange(cleanAmount(event.target.value))}
          />
        </InputGroup>
      )}
    </FormField>
  );
}

function Reason({ control, errors, name, disabled }: Pick<Props, 'control' | 'errors' | 'name' | 'disabled'>) {
  const t = useTexts(admin);
  const { field: reason } = useController({ control, name: 'reason' });
  return (
    <ReasonField
      className="min-h-18"
      label={t('reasonRead', { name })}
      error={messageOf(t, errors.reason)}
      rows={2}
      readOnly={disabled}
      {...reason}
    />
  );
}
