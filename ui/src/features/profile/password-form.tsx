import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { FormField } from '@/components/form-field';
import { PasswordInput } from '@/components/password-input';
import { PendingButton } from '@/components/pending-button';
import { Section } from '@/components/section';
import { useMe } from '@/entities/user/queries';
import { type Key, translate, useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { settings } from '@/i18n/en/settings';
import { api, send } from '@/lib/api';
import { cn } from '@/lib/cn';
import { ApiError } from '@/lib/errors';
import { firstMessage, messageOf, serverFieldErrors } from '@/lib/forms';
import { outcomeText } from '@/lib/outcomes';
import { MIN_PASSWORD } from '@/lib/rules';
import { notify } from '@/lib/toast';
import { sessionsQuery } from './queries';

const say = (key: Key<typeof settings>): Key<typeof settings> => key;

const FIELDS = ['currentPassword', 'newPassword'] as const;
const EMPTY = { currentPassword: '', newPassword: '' };

const passwordSchema = z.object({
  currentPassword: z.string().check(z.minLength(1, say('current.required'))),
  newPassword: z
    .string()
    .check(z.minLength(1, { error: say('fresh.required'), abort: true }), z.minLength(MIN_PASSWORD, say('fresh.short'))),
});
type Values = z.infer<typeof passwordSchema>;

function usePasswordForm() {
  const queryClient = useQueryClient();
  const t = useTexts(settings);
  const form = useForm<Values>({ resolver: standardSchemaResolver(passwordSchema), defaultValues: EMPTY });
  const change = useMutation({
    mutationFn: (body: Values) => send(api.POST('/auth/change-password', { body })),
    meta: { success: (done) => outcomeText(done, translate(settings, 'passwordDone')) },
    onSuccess: () => {
      form.reset(EMPTY);
      // The others are ended with it.
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
    onError: (error) => serverFieldErrors(form, error, FIELDS),
  });
  const submit = form.handleSubmit(
    (values) => change.mutate(values),
    (invalid) => notify.invalid(firstMessage(t, invalid, FIELDS)),
  );
  return { form, submit, change };
}

/** Another password, with the present one. A lazy chunk. */
export default function PasswordForm() {
  const t = useTexts(settings);
  const c = useTexts(common);
  const me = useMe();
  const { form, submit, change } = usePasswordForm();
  const { errors } = form.formState;
  const placed = change.error instanceof ApiError && Object.keys(change.error.fields).length > 0;
  return (
    <Section title={t('changePassword')}>
      <form className={cn(STACK, 'max-w-120')} noValidate onSubmit={(event) => void submit(event)}>
        {/* For the password manager, which would else not know whose it is. */}
        <input
          type="text"
          className="sr-only"
          autoComplete="username"
          tabIndex={-1}
          aria-hidden="true"
          readOnly
          value={me.username}
        />
        <FormField label={t('current')} error={messageOf(t, errors.currentPassword)}>
          {(control) => <PasswordInput autoComplete="current-password" {...control} {...form.register('currentPassword')} />}
        </FormField>
        <FormField
          label={t('fresh')}
          help={t(me.isAdmin ? 'freshHelpAdmin' : 'freshHelp')}
          error={messageOf(t, errors.newPassword)}
        >
          {(control) => <PasswordInput autoComplete="new-password" {...control} {...form.register('newPassword')} />}
        </FormField>
        <Failure error={placed ? null : change.error} />
        <div className={cn(STACK, 'gap-2')}>
          <div>
            <PendingButton type="submit" pending={change.isPending} pendingText={c('sending')}>
              {t('passwordSubmit')}
            </PendingButton>
          </div>
          <p className="text-sm text-muted-foreground">{t('passwordText')}</p>
        </div>
      </form>
    </Section>
  );
}
