import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { FormField } from '@/components/form-field';
import { PasswordInput } from '@/components/password-input';
import { PendingButton } from '@/components/pending-button';
import { Section } from '@/components/section';
import { useMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { type Key, translate, useTexts } from '@/i18n';
import { security } from '@/i18n/en/security';
import { api, send } from '@/lib/api';
import { cn } from '@/lib/cn';
import { ApiError } from '@/lib/errors';
import { outcomeText } from '@/lib/outcomes';
import { MIN_PASSWORD } from '@/lib/rules';
import { sessionsQuery } from './queries';

const say = (key: Key<typeof security>): Key<typeof security> => key;

/** docs/rules.md#passwords */
const passwordSchema = z.object({
  currentPassword: z.string().check(z.minLength(1, say('current.required'))),
  newPassword: z
    .string()
    .check(z.minLength(1, { error: say('fresh.required'), abort: true }), z.minLength(MIN_PASSWORD, say('fresh.short'))),
});
type PasswordValues = z.infer<typeof passwordSchema>;

const EMPTY: PasswordValues = { currentPassword: '', newPassword: '' };

function usePasswordForm() {
  const queryClient = useQueryClient();
  const t = useTexts(security);
  const change = useMutation({
    mutationFn: (body: PasswordValues) => send(api.POST('/auth/change-password', { body })),
    meta: { success: (done) => outcomeText(done, translate(security, 'passwordDone')) },
    onSuccess: () => {
      // A new password ends the other sessions.
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
  });
  const form = useDraftForm({
    schema: passwordSchema,
    t,
    empty: EMPTY,
    mutation: change,
    onSubmit: (values, { reset }) => change.mutateAsync(values, { onSuccess: () => reset(EMPTY) }),
  });
  return { ...form, change };
}

export default function PasswordForm() {
  const t = useTexts(security);
  const me = useMe();
  const { form, submit, errorOf, change } = usePasswordForm();
  const placed = change.error instanceof ApiError && Object.keys(change.error.fields).length > 0;
  return (
    <Section title={t('changePassword')}>
      <form className={cn(STACK, 'max-w-120')} noValidate onSubmit={submit}>
        {/* Tells the password manager whose it is. */}
        <input
          type="text"
          className="sr-only"
          autoComplete="username"
          tabIndex={-1}
          aria-hidden="true"
          readOnly
          value={me.username}
        />
        <FormField label={t('current')} error={errorOf('currentPassword')}>
          {(control) => <PasswordInput autoComplete="current-password" {...control} {...form.register('currentPassword')} />}
        </FormField>
        <FormField label={t('fresh')} help={t(me.isAdmin ? 'freshHelpAdmin' : 'freshHelp')} error={errorOf('newPassword')}>
          {(control) => <PasswordInput autoComplete="new-password" {...control} {...form.register('newPassword')} />}
        </FormField>
        <Failure error={placed ? null : change.error} />
        <div className={cn(STACK, 'gap-2')}>
          <div>
            <PendingButton type="submit" pending={change.isPending}>
              {t('passwordSubmit')}
            </PendingButton>
          </div>
          <p className="text-sm text-muted-foreground">{t('passwordText')}</p>
        </div>
      </form>
    </Section>
  );
}
