import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { type DefaultValues, type Path, useForm, useWatch } from 'react-hook-form';
import type * as z from 'zod/mini';
import { useMaybeMe } from '@/entities/user/queries';
import { translate, useTexts } from '@/i18n';
import { feedback } from '@/i18n/en/feedback';
import { dropDraft, keepDraft, readDraft } from '@/lib/draft';
import { firstMessage, messageOf, serverFieldErrors } from '@/lib/forms';
import { useKeyed } from '@/lib/idempotency';
import { outcomeText } from '@/lib/outcomes';
import { notify } from '@/lib/toast';

type Values = Record<string, string>;

type Options<V extends Values> = {
  /** Also the name of its draft. */
  kind: 'contact' | 'bug';
  schema: z.ZodMiniType<V, V>;
  /** What the fields hold at first. Its order is that of the toasts. */
  empty: V;
  send: (values: V, key: string) => Promise<{ message: string }>;
};

/** Of who opens the form. When his session ends under it, what he has typed stays his. */
function useDraftName(kind: string): string {
  const me = useMaybeMe();
  const [author] = useState(me?._id ?? 'visitor');
  return `${kind}:${author}`;
}

/** A form whose text survives a failure, another page and a reload, and is gone once it is sent. */
export function useFeedbackForm<V extends Values>({ kind, schema, empty, send }: Options<V>) {
  const t = useTexts(feedback);
  const fields = Object.keys(empty) as Path<V>[];
  const draft = useDraftName(kind);
  const [prefill] = useState(empty);
  const [defaultValues] = useState(() => readDraft(draft, prefill));
  const form = useForm<V>({
    resolver: standardSchemaResolver(schema),
    defaultValues: defaultValues as DefaultValues<V>,
  });
  const typed = useWatch({ control: form.control }) as V;
  const keyed = useKeyed(send);
  const mutation = useMutation({
    mutationFn: keyed,
    meta: {
      success: (done) => outcomeText(done, translate(feedback, `${kind}.done`)),
      fallback: () => translate(feedback, `${kind}.failed`),
    },
    onSuccess: () => dropDraft(draft),
  });
  const sent = mutation.isSuccess;
  useEffect(() => {
    if (!sent) keepDraft(draft, typed, prefill);
  }, [draft, typed, prefill, sent]);
  const submit = form.handleSubmit(
    (values) => mutation.mutate(values, { onError: (error) => serverFieldErrors(form, error, fields) }),
    (invalid) => notify.invalid(firstMessage(t, invalid, fields)),
  );
  return {
    register: form.register,
    errorOf: (field: Path<V>) => messageOf(t, form.getFieldState(field, form.formState).error),
    onSubmit: (event: SyntheticEvent) => void submit(event),
    error: mutation.error,
    busy: mutation.isPending,
    sent,
    again: () => {
      form.reset(empty);
      mutation.reset();
    },
  };
}
