import { useMutation } from '@tanstack/react-query';
import type { ReactNode, SyntheticEvent } from 'react';
import * as z from 'zod/mini';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { OutcomePanel } from '@/components/outcome-panel';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { useMaybeMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { type Key, translate, useTexts } from '@/i18n';
import { feedback } from '@/i18n/en/feedback';
import { cn } from '@/lib/cn';
import { textDraft } from '@/lib/draft';
import { useKeyed } from '@/lib/idempotency';
import { outcomeText } from '@/lib/outcomes';
import { EMAIL, lengthOf } from '@/lib/rules';

const say = (key: Key<typeof feedback>): Key<typeof feedback> => key;

const MAX_NAME = 100;
const MAX_SUBJECT = 200;
const MAX_TEXT = 5_000;

const upTo = (most: number, message: Key<typeof feedback>) => z.refine<string>((text) => lengthOf(text) <= most, say(message));
const required = (message: Key<typeof feedback>) => z.minLength(1, { error: say(message), abort: true });

/** docs/rules.md#feedback */
export const contactSchema = z.object({
  name: z.string().check(z.trim(), required('name.required'), upTo(MAX_NAME, 'name.long')),
  email: z.string().check(z.trim(), required('email.required'), z.regex(EMAIL, say('email.invalid'))),
  message: z.string().check(z.trim(), required('contact.required'), upTo(MAX_TEXT, 'contact.long')),
});
/** Visitors may leave a name and an address. */
export const bugSchema = z.object({
  name: z.string().check(z.trim(), upTo(MAX_NAME, 'name.long')),
  email: z.string().check(
    z.trim(),
    z.refine((email) => email === '' || EMAIL.test(email), say('email.invalid')),
  ),
  subject: z.string().check(z.trim(), required('bug.subject.required'), upTo(MAX_SUBJECT, 'bug.subject.long')),
  description: z.string().check(z.trim(), required('bug.description.required'), upTo(MAX_TEXT, 'bug.description.long')),
});

type Values = Record<string, string>;

type Options<V extends Values> = {
  kind: 'contact' | 'bug';
  schema: z.ZodMiniType<V, V>;
  /** The initial values, in the order of the toasts. */
  empty: V;
  send: (values: V, key: string) => Promise<{ message: string }>;
};

export function useFeedbackForm<V extends Values>({ kind, schema, empty, send }: Options<V>) {
  const t = useTexts(feedback);
  const me = useMaybeMe();
  const keyed = useKeyed(send);
  const mutation = useMutation({
    mutationFn: keyed,
    meta: {
      success: (done) => outcomeText(done, translate(feedback, `${kind}.done`)),
      fallback: () => translate(feedback, `${kind}.failed`),
    },
  });
  const { form, submit, errorOf } = useDraftForm<V>({
    schema,
    t,
    empty,
    draft: textDraft(`${kind}:${me?._id ?? 'visitor'}`),
    mutation,
    onSubmit: (values) => mutation.mutateAsync(values),
  });
  return {
    register: form.register,
    errorOf,
    submit,
    error: mutation.error,
    busy: mutation.isPending,
    sent: mutation.isSuccess,
    again: () => {
      form.reset(empty);
      mutation.reset();
    },
  };
}

type Props = {
  kind: 'contact' | 'bug';
  form: { submit: (event: SyntheticEvent) => void; error: unknown; busy: boolean; sent: boolean; again: () => void };
  children: ReactNode;
};

export function FeedbackForm({ kind, form, children }: Props) {
  const t = useTexts(feedback);
  if (form.sent) {
    return (
      <OutcomePanel kind="done" title={t(`${kind}.done`)} text={t(`${kind}.doneText`)}>
        <Button variant="outline" onClick={form.again}>
          {t('another')}
        </Button>
      </OutcomePanel>
    );
  }
  return (
    <form className={cn(STACK, 'max-w-160 gap-6')} noValidate onSubmit={form.submit}>
      {children}
      <Failure error={form.error} fallback={t(`${kind}.failed`)} />
      <div>
        <PendingButton type="submit" pending={form.busy}>
          {t(`${kind}.submit`)}
        </PendingButton>
      </div>
    </form>
  );
}
