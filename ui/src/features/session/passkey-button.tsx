import { useHydrated } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import type { User } from '@/api/contract';
import { PendingButton } from '@/components/pending-button';
import { isCancelled, knowsPasskeys } from '@/entities/user/second-factor/passkey';
import { useTexts } from '@/i18n';
import { auth } from '@/i18n/en/auth';
import { passkeyErrorText, usePasskeyLogin } from './mutations';

/** Logs in without name and password. Hidden if the browser has no passkeys. */
export function PasskeyButton({ onDone }: { onDone: (user: User) => void }) {
  const t = useTexts(auth);
  const hydrated = useHydrated();
  const login = usePasskeyLogin(onDone);
  if (hydrated && !knowsPasskeys()) return null;
  return (
    <>
      <PendingButton
        variant="outline"
        size="lg"
        className="w-full"
        disabled={!hydrated}
        pending={login.isPending}
        pendingText={t('login.busy')}
        onClick={() => login.mutate()}
      >
        <KeyRound aria-hidden="true" />
        {t('login.passkey')}
      </PendingButton>
      {login.isError && !isCancelled(login.error) ? (
        <p className="font-semibold text-destructive" role="alert">
          {passkeyErrorText(login.error)}
        </p>
      ) : null}
    </>
  );
}
