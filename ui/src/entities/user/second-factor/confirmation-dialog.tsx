import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { DialogPanel } from '@/components/dialog-panel';
import { LoadFailed } from '@/components/load-failed';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Skeleton } from '@/components/ui/skeleton';
import { refreshUser } from '@/entities/user/guards';
import { useMe } from '@/entities/user/queries';
import { useReturnFocus } from '@/hooks/use-return-focus';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { secondFactor } from '@/i18n/en/second-factor';
import { api, send } from '@/lib/api';
import { answerConfirmation, useConfirmationPrompt } from './confirmation';
import { methodsOf, methodsWanted } from './methods';
import { ProofForm } from './proof-form';
import { secondFactorQuery } from './queries';

const options = () => send(api.POST('/auth/confirm/options'));

/** The password, and where it is on, the second factor. */
function Confirmation() {
  const t = useTexts(secondFactor);
  const c = useTexts(common);
  const me = useMe();
  const queryClient = useQueryClient();
  const factor = useQuery({ ...secondFactorQuery, enabled: me.secondFactor });
  if (me.secondFactor && !factor.data) {
    return factor.isError ? (
      <LoadFailed error={factor.error} busy={factor.isFetching} onRetry={() => void factor.refetch()} />
    ) : (
      <Skeleton className="h-56" />
    );
  }
  return (
    <ProofForm
      methods={me.secondFactor && factor.data ? methodsOf(factor.data) : []}
      password
      options={options}
      prove={({ password = '', ...proof }) => send(api.POST('/auth/confirm-password', { body: { password, ...proof } }))}
      submitText={t('confirm.submit')}
      onDone={() => answerConfirmation(true)}
      onRefused={(error) => {
        // It was turned on meanwhile, elsewhere.
        if (methodsWanted(error)) void refreshUser(queryClient);
      }}
    >
      <Button variant="outline" onClick={() => answerConfirmation(false)}>
        {c('cancel')}
      </Button>
    </ProofForm>
  );
}

/** Stands in the page and opens when `withConfirmation` needs it. `text` says why it is asked. */
export function ConfirmationDialog({ text }: { text: string }) {
  const t = useTexts(secondFactor);
  const asked = useConfirmationPrompt();
  const { secondFactor: factor } = useMe();
  const focus = useReturnFocus();
  // Whoever leaves the page has not confirmed.
  useEffect(() => () => answerConfirmation(false), []);
  return (
    <Dialog open={asked} onOpenChange={(open) => (open ? null : answerConfirmation(false))}>
      <DialogPanel
        title={t(factor ? 'confirm.title' : 'confirm.passwordTitle')}
        description={text}
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          focus.remember(event);
          (event.currentTarget as HTMLElement | null)?.querySelector<HTMLInputElement>('input[type=password]')?.focus();
        }}
        onCloseAutoFocus={focus.giveBack}
      >
        <Confirmation />
      </DialogPanel>
    </Dialog>
  );
}
