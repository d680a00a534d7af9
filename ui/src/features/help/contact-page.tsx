import { FormField } from '@/components/form-field';
import { Input } from '@/components/ui/input';
import { Textarea } from '@/components/ui/textarea';
import { useMaybeMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { feedback } from '@/i18n/en/feedback';
import { api, idempotent, send } from '@/lib/api';
import { contactSchema, FeedbackForm, useFeedbackForm } from './feedback-form';
import { HelpPage } from './help-page';

/** /contactus: name, email and message. Signed-in users find the first two filled in. */
export function ContactPage() {
  const t = useTexts(feedback);
  const me = useMaybeMe();
  const form = useFeedbackForm({
    kind: 'contact',
    schema: contactSchema,
    empty: { name: me?.username ?? '', email: me?.email ?? '', message: '' },
    send: (body, key) => send(api.POST('/contact', { body, headers: idempotent(key) })),
  });
  return (
    <HelpPage title={t('contact.title')}>
      <FeedbackForm kind="contact" form={form}>
        <FormField label={t('name')} error={form.errorOf('name')}>
          {(control) => <Input autoComplete="name" {...control} {...form.register('name')} />}
        </FormField>
        <FormField label={t('email')} help={t('emailHelp')} error={form.errorOf('email')}>
          {(control) => <Input type="email" autoComplete="email" {...control} {...form.register('email')} />}
        </FormField>
        <FormField label={t('contact.message')} help={t('contact.never')} error={form.errorOf('message')}>
          {(control) => <Textarea rows={7} {...control} {...form.register('message')} />}
        </FormField>
      </FeedbackForm>
    </HelpPage>
  );
}
