import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { STACK } from '@/components/classes';
import { DialogPanel } from '@/components/dialog-panel';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Input } from '@/components/ui/input';
import { useMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useReturnFocus } from '@/hooks/use-return-focus';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { common } from '@/i18n/en/common';
import { api, send } from '@/lib/api';
import { errorText } from '@/lib/errors';
import { answerPassword, usePasswordPrompt } from './password-prompt';
import { passwordSchema } from './password-schema';

function PasswordForm() {
  const t = useTexts(admin);
  const c = useTexts(common);
  const me = useMe();
  const confirm = useMutation({
    mutationFn: (body: { password: string }) => send(api.POST('/auth/confirm-password', { body })),
    // The field says it.
    meta: { quiet: true },
    onSuccess: () => answerPassword(true),
  });
  const { form, submit, errorOf } = useDraftForm({
    schema: passwordSchema,
    t,
    empty: { password: '' },
    toast: null,
    mutation: { isPending: confirm.isPending },
    onSubmit: (values, { setFocus }) =>
      confirm.mutateAsync(values, { onError: () => setFocus('password', { shouldSelect: true }) }),
  });
  // Whatever the failure, it is about the one field.
  const failure = confirm.error ? errorText(confirm.error, t('password.failed')) : undefined;
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      {/* For the password manager. */}
      <input type="text" name="username" autoComplete="username" value={me.username} readOnly hidden />
      <FormField label={t('password.label')} error={errorOf('password') ?? failure} live>
        {(control) => (
          <Input
            type="password"
            autoComplete="current-password"
            {...control}
            {...form.register('password', { onChange: () => (confirm.isError ? confirm.reset() : undefined) })}
          />
        )}
      </FormField>
      <div className="flex min-w-0 flex-wrap items-center gap-3">
        <PendingButton type="submit" pending={confirm.isPending} pendingText={c('sending')}>
          {t('password.confirm')}
        </PendingButton>
        <Button variant="outline" onClick={() => answerPassword(false)}>
          {c('cancel')}
        </Button>
      </div>
    </form>
  );
}

/** Stands in the admin area and opens when `withPassword` needs it. */
export function PasswordDialog() {
  const t = useTexts(admin);
  const asked = usePasswordPrompt();
  const focus = useReturnFocus();
  // Whoever leaves the area has not confirmed.
  useEffect(() => () => answerPassword(false), []);
  return (
    <Dialog open={asked} onOpenChange={(open) => (open ? null : answerPassword(false))}>
      <DialogPanel
        title={t('password.title')}
        description={t('password.text')}
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          focus.remember(event);
          (event.currentTarget as HTMLElement | null)?.querySelector<HTMLInputElement>('input[type=password]')?.focus();
        }}
        onCloseAutoFocus={focus.giveBack}
      >
        <PasswordForm />
      </DialogPanel>
    </Dialog>
  );
}
