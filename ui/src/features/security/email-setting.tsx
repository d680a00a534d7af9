import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { FormField } from '@/components/form-field';
import { FormFooter } from '@/components/form-footer';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { accountQuery, useMe } from '@/entities/user/queries';
import { withConfirmation } from '@/entities/user/second-factor/confirmation';
import { useDraftForm } from '@/hooks/use-draft-form';
import { type Key, translate, useTexts } from '@/i18n';
import { security } from '@/i18n/en/security';
import { api, send } from '@/lib/api';
import { isApiError } from '@/lib/errors';
import { outcomeText } from '@/lib/outcomes';
import { EMAIL } from '@/lib/rules';
import { withoutCancelled } from './queries';

const say = (key: Key<typeof security>): Key<typeof security> => key;

/** docs/rules.md#email-change */
const emailSchema = z.object({
  email: z
    .string()
    .check(z.trim(), z.minLength(1, { error: say('emailRequired'), abort: true }), z.regex(EMAIL, say('emailInvalid'))),
});
type EmailValues = z.infer<typeof emailSchema>;

/** Mails a link to another address. The form shows failures. */
function useEmailChange(onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: EmailValues) => withConfirmation(() => send(api.POST('/auth/email', { body }))),
    meta: { quiet: true, success: (done) => outcomeText(done, translate(security, 'emailSent')) },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey });
      onDone();
    },
  });
}

function useKeepEmail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => send(api.DELETE('/auth/email')),
    meta: {
      success: (done) => outcomeText(done, translate(security, 'emailKept')),
      fallback: () => translate(security, 'failed'),
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountQuery.queryKey }),
  });
}

function EmailForm({ onClose }: { onClose: () => void }) {
  const t = useTexts(security);
  const change = useEmailChange(onClose);
  const { form, submit, errorOf } = useDraftForm({
    schema: emailSchema,
    t,
    empty: { email: '' },
    toast: null,
    mutation: change,
    onSubmit: (values) => change.mutateAsync(values),
  });
  useEffect(() => form.setFocus('email'), [form]);
  const placed = isApiError(change.error) && change.error.fields.email !== undefined;
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      <FormField label={t('emailNew')} help={t('emailText')} error={errorOf('email')} live>
        {(control) => <Input type="email" autoComplete="email" {...control} {...form.register('email')} />}
      </FormField>
      <Failure error={placed ? null : withoutCancelled(change.error)} />
      <FormFooter pending={change.isPending} onCancel={onClose}>
        {t('emailSubmit')}
      </FormFooter>
    </form>
  );
}

function Pending({ email }: { email: string }) {
  const t = useTexts(security);
  const again = useEmailChange(() => undefined);
  const keep = useKeepEmail();
  return (
    <Note kind="wait">
      <p className="wrap-anywhere">{t('emailPending', { email })}</p>
      <Failure error={withoutCancelled(again.error)} />
      <div className="mt-4 flex min-w-0 flex-wrap items-center gap-3">
        <PendingButton variant="outline" pending={again.isPending} onClick={() => again.mutate({ email })}>
          {t('emailAgain')}
        </PendingButton>
        <PendingButton variant="link" pending={keep.isPending} onClick={() => keep.mutate()}>
          {t('emailKeep')}
        </PendingButton>
      </div>
    </Note>
  );
}

/** The form is open at /security#email, where the banner leads, too. */
export default function EmailSetting() {
  const t = useTexts(security);
  const me = useMe();
  const { data: account } = useQuery(accountQuery);
  const open = useLocation({ select: ({ hash }) => hash === 'email' });
  const navigate = useNavigate();
  const show = (hash: string) => void navigate({ to: '/security', hash, replace: true, resetScroll: false });
  const pending = account?.pendingEmail ?? null;
  return (
    <Section title={t('email')}>
      <div className={`${STACK} max-w-120`}>
        <div>
          <p className="wrap-anywhere">{me.email}</p>
          <p className="text-sm text-muted-foreground">{t(me.isVerified ? 'emailVerified' : 'emailUnverified')}</p>
        </div>
        {pending ? <Pending email={pending} /> : null}
        {open ? (
          <EmailForm onClose={() => show('')} />
        ) : (
          <div>
            <Button variant="outline" onClick={() => show('email')}>
              {t('emailChange')}
            </Button>
          </div>
        )}
      </div>
    </Section>
  );
}
