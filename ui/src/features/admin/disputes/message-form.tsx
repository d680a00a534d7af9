import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { STACK } from '@/components/classes';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Textarea } from '@/components/ui/textarea';
import { putDispute } from '@/entities/deal/dispute/queries';
import { useMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { type Key, translate, useTexts } from '@/i18n';
import { adminDisputes } from '@/i18n/en/admin';
import { api, idempotent, send } from '@/lib/api';
import { textDraft } from '@/lib/draft';
import { useKeyed } from '@/lib/idempotency';
import { lengthOf } from '@/lib/rules';
import { MAX_LENGTH } from './decide-form';

const say = (key: Key<typeof adminDisputes>) => key;

const schema = z.object({
  text: z.string().check(
    z.trim(),
    z.minLength(1, { error: say('message.missing'), abort: true }),
    z.refine((text) => lengthOf(text) <= MAX_LENGTH, say('message.long')),
  ),
});

/** The admin's message to both parties. */
export default function AdminMessageForm({ id }: { id: string }) {
  const t = useTexts(adminDisputes);
  const me = useMe();
  const queryClient = useQueryClient();
  const params = { path: { id } };
  const write = useKeyed((text: string, key) =>
    send(api.POST('/disputes/{id}/messages', { params, body: { text, pictures: [] }, headers: idempotent(key) })),
  );
  const mutation = useMutation({
    mutationFn: (text: string) => write(text),
    meta: {
      success: () => translate(adminDisputes, 'toast.sent'),
      fallback: () => translate(adminDisputes, 'toast.sendFailed'),
    },
    onSuccess: ({ dispute }) => putDispute(queryClient, dispute),
  });
  const { form, submit, errorOf } = useDraftForm({
    schema,
    t,
    empty: { text: '' },
    draft: textDraft(`dispute-admin:${me._id}:${id}`),
    toast: null,
    mutation,
    onSubmit: ({ text }, { reset }) => mutation.mutateAsync(text).then(() => reset({ text: '' })),
  });
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      <FormField label={t('message')} help={t('message.help')} error={errorOf('text')} live>
        {(control) => <Textarea rows={3} {...control} {...form.register('text')} />}
      </FormField>
      <PendingButton type="submit" variant="outline" className="justify-self-start" pending={mutation.isPending}>
        {t('message.send')}
      </PendingButton>
    </form>
  );
}
