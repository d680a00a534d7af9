import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import type { Decision } from '@/api/contract';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Textarea } from '@/components/ui/textarea';
import { keys } from '@/entities/keys';
import { useDraftForm } from '@/hooks/use-draft-form';
import { type Key, useTexts } from '@/i18n';
import { decision as catalogue, type decision } from '@/i18n/en/decision';
import { textDraft } from '@/lib/draft';
import { isApiError } from '@/lib/errors';
import { count } from '@/lib/money';
import { lengthOf } from '@/lib/rules';
import { formatTime } from '@/lib/time';
import type { SendAppeal } from './decision-parts';

const MAX_APPEAL = 2_000;

const message = (key: Key<typeof decision>) => key;

/** docs/rules.md#moderation */
const appealSchema = z.object({
  text: z.string().check(
    z.trim(),
    z.minLength(1, message('missing.text')),
    z.refine((text) => lengthOf(text) <= MAX_APPEAL, message('long')),
  ),
});

/**
 * The form of an appeal; `onSent` gets the updated decision. The draft is named after the decision,
 * which only one user can read.
 */
function useAppeal(decisionId: string, sendAppeal: SendAppeal, onSent: (decision: Decision) => void) {
  const t = useTexts(catalogue);
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: ({ text }: { text: string }) => sendAppeal(text),
    meta: { quiet: true },
    onSuccess: ({ decision }) => {
      onSent(decision);
      return queryClient.invalidateQueries({ queryKey: keys.decisions });
    },
  });
  const form = useDraftForm({
    schema: appealSchema,
    t,
    empty: { text: '' },
    draft: textDraft(`appeal-${decisionId}`),
    toast: null,
    mutation,
    onSubmit: ({ text }) => mutation.mutateAsync({ text: text.trim() }),
  });
  return { ...form, mutation };
}

const COUNTER_FROM = MAX_APPEAL - 300;

type Props = { decision: Decision; send: SendAppeal; onSent: (decision: Decision) => void };

export default function AppealForm({ decision, send, onSent }: Props) {
  const t = useTexts(catalogue);
  const { form, submit, errorOf, mutation } = useAppeal(decision._id, send, onSent);
  const written = lengthOf(useWatch({ control: form.control, name: 'text' }));
  const placed = isApiError(mutation.error) && mutation.error.fields.text !== undefined;
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      <p>{t('appealLede')}</p>
      <FormField
        label={t('appealText')}
        aside={written >= COUNTER_FROM ? `${count(written)}/${count(MAX_APPEAL)}` : null}
        help={t('appealHelp')}
        error={errorOf('text')}
        live
      >
        {(control) => <Textarea rows={6} {...control} {...form.register('text')} />}
      </FormField>
      <Failure error={placed ? null : mutation.error} fallback={t('appealFailed')} />
      <p className="text-sm text-muted-foreground">{t('appealUntil', { when: formatTime(decision.appealUntil, 'moment') })}</p>
      <PendingButton type="submit" size="lg" className="justify-self-start" pending={mutation.isPending}>
        {t('appealSubmit')}
      </PendingButton>
    </form>
  );
}
