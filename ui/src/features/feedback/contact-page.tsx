import { Link } from '@tanstack/react-router';
import { FormField } from '@/components/form-field';
import { buttonVariants } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { Textarea } from '@/components/ui/textarea';
import { useMaybeMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { feedback } from '@/i18n/en/feedback';
import { api, idempotent, send } from '@/lib/api';
import { contactSchema, FeedbackForm, FeedbackPage, useFeedbackForm } from './feedback-form';

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
  const aside = (
    <>
      <li>
        {t('contact.aside.deal')}
        {me ? (
          <>
            {' '}
            <Link to="/deal" className={buttonVariants({ variant: 'link' })}>
              {t('toDeals')}
            </Link>
          </>
        ) : null}
      </li>
      <li>
        {t('contact.aside.bug')}{' '}
        <Link to="/reportabug" className={buttonVariants({ variant: 'link' })}>
          {t('bug.title')}
        </Link>
      </li>
      <li>{t('contact.aside.never')}</li>
    </>
  );
  return (
    <FeedbackPage kind="contact" aside={aside}>
      <FeedbackForm kind="contact" form={form}>
        <FormField label={t('name')} error={form.errorOf('name')}>
          {(control) => <Input autoComplete="name" {...control} {...form.register('name')} />}
        </FormField>
        <FormField label={t('email')} help={t('emailHelp')} error={form.errorOf('email')}>
          {(control) => <Input type="email" autoComplete="email" {...control} {...form.register('email')} />}
        </FormField>
        <FormField label={t('contact.message')} error={form.errorOf('message')}>
          {(control) => <Textarea rows={7} {...control} {...form.register('message')} />}
        </FormField>
      </FeedbackForm>
    </FeedbackPage>
  );
}
