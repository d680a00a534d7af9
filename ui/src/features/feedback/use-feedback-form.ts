import { useMutation } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { useMaybeMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { translate, useTexts } from '@/i18n';
import { feedback } from '@/i18n/en/feedback';
import { textDraft } from '@/lib/draft';
import { useKeyed } from '@/lib/idempotency';
import { outcomeText } from '@/lib/outcomes';

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
