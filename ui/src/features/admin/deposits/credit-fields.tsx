import { type Control, Controller, type FieldErrors, useController, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { FormField } from '@/components/form-field';
import { MoneyInput } from '@/components/money-input';
import { InputGroup, InputGroupAddon, InputGroupInput } from '@/components/ui/input-group';
import { type Key, useTexts } from '@/i18n';
import { admin, adminDeposits } from '@/i18n/en/admin';
import { common } from '@/i18n/en/common';
import { money } from '@/i18n/en/components';
import { amountText, parseCents } from '@/lib/amount';
import { messageOf } from '@/lib/forms';
import { bdt, type Cents, latinDigits, type Poisha, toPoisha, usd } from '@/lib/money';
import { ReasonField } from '../review/reason-dialog';

/** Converts at whole taka per dollar, rounded down as on the server. */
export const centsOf = (poisha: Poisha, rate: number): Cents => Math.floor(poisha / rate);

export function inTaka(amount: string, rate: number): string {
  const cents = parseCents(amount);
  return cents === null ? '' : amountText(toPoisha(cents, rate));
}
export function inDollars(taka: string, rate: number): string {
  const poisha = parseCents(taka, 'BDT');
  return poisha === null ? '' : (centsOf(poisha, rate) / 100).toFixed(2);
}

/**
 * The claimed amount, and the current worth of the taka sent. `rates` is set if the admin types the
 * taka received, as for large amounts: at one of them, they are worth the amount.
 */
export type Due = { claimed: Cents; worth: Cents; rates?: readonly number[] | undefined };

/** Reports whether the taka typed are worth the amount at one of the rates. */
export function isWorth(taka: string, cents: Cents, rates: readonly number[]): boolean {
  const poisha = parseCents(taka, 'BDT');
  return poisha !== null && rates.some((rate) => centsOf(poisha, rate) === cents);
}

/** Larger differences from the claim, in percent, always need a reason. */
const REASON_ABOVE = 10;

type Rule = Extract<Key<typeof admin>, `rule.${string}`>;
const say = (rule: Rule): Rule => rule;

const isChanged = (cents: Cents, { worth }: Due): boolean => cents !== worth;

export const needsReason = (cents: Cents, due: Due): boolean =>
  isChanged(cents, due) || Math.abs(cents - due.claimed) * 100 > due.claimed * REASON_ABOVE;

/**
 * The credit for a deposit: above 0, in dollars or taka. An amount other than the payment's worth
 * is typed twice in the same currency and needs a reason.
 */
export function approvalSchema(due: Due) {
  return z
    .object({
      amount: z.string().check(z.refine((typed) => (parseCents(typed) ?? 0) > 0, { error: say('rule.amount'), abort: true })),
      taka: z.string(),
      typed: z.enum(['usd', 'bdt']),
      again: z.string(),
      reason: z.string(),
    })
    .check(
      z.refine(({ amount, taka }) => !due.rates || isWorth(taka, parseCents(amount) ?? 0, due.rates), {
        error: say('rule.received'),
        path: ['taka'],
      }),
      z.refine(
        ({ amount, taka, typed, again }) =>
          !isChanged(parseCents(amount) ?? 0, due) ||
          (typed === 'usd' ? parseCents(again) === parseCents(amount) : parseCents(again, 'BDT') === parseCents(taka, 'BDT')),
        {
          error: say('rule.again'),
          path: ['again'],
        },
      ),
      z.refine(({ amount, reason }) => !needsReason(parseCents(amount) ?? 0, due) || reason.trim() !== '', {
        error: say('rule.reason'),
        path: ['reason'],
      }),
    );
}
export type ApprovalValues = z.infer<ReturnType<typeof approvalSchema>>;

type Currency = ApprovalValues['typed'];

type Props = {
  control: Control<ApprovalValues>;
  errors: FieldErrors<ApprovalValues>;
  due: Due;
  rate: number;
  /** Called after typing an amount; `typed` is null if that does not change the credit. */
  onTyped: (typed: Currency | null, amounts: { amount?: string; taka?: string }) => void;
  name: string;
  disabled: boolean;
};

function useDifference(cents: Cents, { claimed, worth }: Due): string {
  const t = useTexts(admin);
  if (cents === claimed) return t('asClaimed');
  if (cents === worth) return t('asWorth');
  return cents < claimed ? t('less', { sum: usd(claimed - cents) }) : t('more', { sum: usd(cents - claimed) });
}

/** The credit in dollars or taka; a changed one is repeated and needs a reason for the user. */
export function CreditFields({ control, errors, due, rate, onTyped, name, disabled }: Props) {
  const t = useTexts(admin);
  const tAdminDeposits = useTexts(adminDeposits);
  const tCommon = useTexts(common);
  const cents = parseCents(useWatch({ control, name: 'amount' })) ?? 0;
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
            onValue={(typed) => onTyped('usd', { amount: typed, ...(due.rates ? {} : { taka: inTaka(typed, rate) }) })}
            onBlur={field.onBlur}
            readOnly={disabled}
            under={tCommon('rate', { taka: bdt(toPoisha(100, rate)) })}
            underEnd={cents > 0 ? difference : null}
            error={messageOf(t, errors.amount)}
          />
        )}
      />
      <Taka
        control={control}
        error={messageOf(t, errors.taka)}
        help={due.rates ? tAdminDeposits('takaHelp') : undefined}
        onTaka={(taka) => (due.rates ? onTyped(null, { taka }) : onTyped('bdt', { amount: inDollars(taka, rate), taka }))}
        disabled={disabled}
      />
      {cents > 0 && isChanged(cents, due) ? <Again control={control} errors={errors} disabled={disabled} /> : null}
      {cents > 0 && needsReason(cents, due) ? <Reason control={control} errors={errors} name={name} disabled={disabled} /> : null}
    </>
  );
}

type TakaProps = Pick<Props, 'control' | 'disabled'> & {
  error: string | undefined;
  help: string | undefined;
  onTaka: (taka: string) => void;
};

export function Taka({ control, error, help, onTaka, disabled }: TakaProps) {
  const tAdminDeposits = useTexts(adminDeposits);
  const tMoney = useTexts(money);
  const { field: taka } = useController({ control, name: 'taka' });
  const unread = taka.value.trim() !== '' && parseCents(taka.value, 'BDT') === null;
  const cents = parseCents(useWatch({ control, name: 'amount' })) ?? 0;
  return (
    <FormField
      label={tAdminDeposits('taka')}
      aside={cents > 0 ? tAdminDeposits('worth', { sum: usd(cents) }) : null}
      help={help}
      error={unread ? tMoney('amountUnread') : error}
    >
      {(described) => (
        <InputGroup>
          <InputGroupAddon aria-hidden="true">৳</InputGroupAddon>
          <InputGroupInput
            className="lining-nums tabular-nums"
            inputMode="decimal"
            autoComplete="off"
            readOnly={disabled}
            {...described}
            {...taka}
            onChange={({ target }) => onTaka(latinDigits(target.value))}
          />
        </InputGroup>
      )}
    </FormField>
  );
}

function Again({ control, errors, disabled }: Pick<Props, 'control' | 'errors' | 'disabled'>) {
  const t = useTexts(admin);
  const tAdminDeposits = useTexts(adminDeposits);
  const { field: again } = useController({ control, name: 'again' });
  const inDollarsTyped = useWatch({ control, name: 'typed' }) === 'usd';
  return (
    <FormField
      label={inDollarsTyped ? t('again') : tAdminDeposits('againTaka')}
      aside={t('againWhy')}
      error={messageOf(t, errors.again)}
    >
      {(described) => (
        <InputGroup>
          <InputGroupAddon aria-hidden="true">{inDollarsTyped ? '$' : '৳'}</InputGroupAddon>
          <InputGroupInput
            className="lining-nums tabular-nums"
            inputMode="decimal"
            autoComplete="off"
            readOnly={disabled}
            {...described}
            {...again}
            onChange={(event) => again.onChange(latinDigits(event.target.value))}
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
