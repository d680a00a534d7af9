import { KeyRound } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { FormField } from '@/components/form-field';
import { PasswordInput } from '@/components/password-input';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { useMaybeMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { secondFactor } from '@/i18n/en/second-factor';
import { cn } from '@/lib/cn';
import { isApiError } from '@/lib/errors';
import { isCancelled, isDeviceFailure } from './passkey';
import { type ProofCalls, useProof } from './use-proof';

type CodeInputProps = ComponentProps<typeof Input> & {
  kind: 'totp' | 'backup' | 'mail';
  focused?: boolean;
};

// Phones suggest the code and show their number pad.
const DIGITS = { inputMode: 'numeric', autoComplete: 'one-time-code' } as const;

const KINDS = {
  totp: DIGITS,
  mail: DIGITS,
  backup: { autoComplete: 'off', autoCapitalize: 'characters' },
} as const;

/** The field of a code. The server accepts spaces, dashes and Bangla digits. */
export function CodeInput({ kind, focused = false, className, ...props }: CodeInputProps) {
  return (
    <Input
      {...KINDS[kind]}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of a form that had the focus
      autoFocus={focused}
      autoCorrect="off"
      spellCheck={false}
      className={cn('max-w-60 text-lg tracking-[0.12em] slashed-zero tabular-nums', className)}
      {...props}
    />
  );
}

type Props<T> = ProofCalls<T> & {
  submitText: string;
  /** Full width and stacked, for a page of its own. */
  wide?: boolean;
  /** Focuses the field on mount; dialogs do that themselves. */
  focused?: boolean;
  children?: ReactNode;
};

/** Asks for the password, a code or a passkey, with the user's other methods. */
export function ProofForm<T>({ submitText, wide = false, focused = false, children, ...calls }: Props<T>) {
  const t = useTexts(secondFactor);
  const me = useMaybeMe();
  const { form, submit, errorOf, proof, way, usable, provePasskey, switchTo } = useProof(calls);
  const other = (method: 'totp' | 'backup') => (way !== method && usable.includes(method) ? method : null);
  const instead = other('totp') ?? other('backup');
  // Errors of a field are shown there.
  const placed = isApiError(proof.error) && (proof.error.fields.password ?? (way === 'passkey' ? null : proof.error.fields.code));
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      {calls.password ? (
        <>
          {/* For the password manager. */}
          <input type="text" name="username" autoComplete="username" value={me?.username ?? ''} readOnly hidden />
          <FormField label={t('password')} error={errorOf('password')} live>
            {(control) => <PasswordInput autoComplete="current-password" {...control} {...form.register('password')} />}
          </FormField>
        </>
      ) : null}
      {way !== null && way !== 'passkey' ? (
        <FormField key={way} label={t(`${way}.label`)} help={t(`${way}.help`)} error={errorOf('code')} live>
          {(control) => <CodeInput kind={way} focused={focused} {...control} {...form.register('code')} />}
        </FormField>
      ) : null}
      {way === 'passkey' ? <p>{t('passkey.text')}</p> : null}
      <Failure
        error={placed || isCancelled(proof.error) ? null : proof.error}
        text={isDeviceFailure(proof.error) ? t('passkey.failed') : undefined}
      />
      <div className={wide ? STACK : 'flex min-w-0 flex-wrap items-center gap-3'}>
        <PendingButton
          type="submit"
          size={wide ? 'lg' : 'default'}
          className={wide ? 'w-full' : undefined}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of a form that had the focus
          autoFocus={focused && way === 'passkey'}
          pending={proof.isPending}
        >
          {way === 'passkey' ? <KeyRound aria-hidden="true" /> : null}
          {way === 'passkey' && !calls.password ? t('passkey.use') : submitText}
        </PendingButton>
        {way !== 'passkey' && usable.includes('passkey') ? (
          <Button
            variant="outline"
            size={wide ? 'lg' : 'default'}
            className={cn(wide && 'w-full')}
            onClick={() => void provePasskey()}
          >
            <KeyRound aria-hidden="true" />
            {t('passkey.use')}
          </Button>
        ) : null}
        {wide ? null : children}
      </div>
      <div className="-my-2 flex min-w-0 flex-wrap items-center gap-x-5 empty:hidden">
        {instead ? (
          <Button variant="link" onClick={() => switchTo(instead)}>
            {t(`${instead}.instead`)}
          </Button>
        ) : null}
        {wide ? children : null}
      </div>
    </form>
  );
}
