import { FormField } from '@/components/form-field';
import { Input } from '@/components/ui/input';
import { Textarea } from '@/components/ui/textarea';
import { useMaybeMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { feedback } from '@/i18n/en/feedback';
import { api, idempotent, send } from '@/lib/api';
import { bugSchema, FeedbackForm, useFeedbackForm } from './feedback-form';
import { HelpPage } from './help-page';

/** /reportabug: subject and description; visitors may add name and address. */
export function BugPage() {
  const t = useTexts(feedback);
  const me = useMaybeMe();
  const form = useFeedbackForm({
    kind: 'bug',
    schema: bugSchema,
    empty: { name: '', email: '', subject: '', description: '' },
    send: (values, key) => {
      const body = me ? { ...values, name: me.username, email: me.email } : values;
      return send(api.POST('/auth/bug-report', { body, headers: idempotent(key) }));
    },
  });
  return (
    <HelpPage title={t('bug.title')}>
      <FeedbackForm kind="bug" form={form}>
        <FormField label={t('bug.subject')} error={form.errorOf('subject')}>
          {(control) => <Input {...control} {...form.register('subject')} />}
        </FormField>
        <FormField label={t('bug.description')} help={t('bug.descriptionHelp')} error={form.errorOf('description')}>
          {(control) => <Textarea rows={7} {...control} {...form.register('description')} />}
        </FormField>
        {me ? (
          <p className="text-sm text-muted-foreground">{t('asUser', { name: me.username, email: me.email })}</p>
        ) : (
          <>
            <FormField label={t('name')} aside={t('optional')} error={form.errorOf('name')}>
              {(control) => <Input autoComplete="name" {...control} {...form.register('name')} />}
            </FormField>
            <FormField label={t('email')} aside={t('optional')} help={t('emailHelp')} error={form.errorOf('email')}>
              {(control) => <Input type="email" autoComplete="email" {...control} {...form.register('email')} />}
            </FormField>
          </>
        )}
      </FeedbackForm>
    </HelpPage>
  );
}
