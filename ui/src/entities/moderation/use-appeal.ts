import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Decision } from '@/api/contract';
import { keys } from '@/entities/keys';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { decision as catalogue } from '@/i18n/en/decision';
import { textDraft } from '@/lib/draft';
import { appealSchema } from './appeal-schema';
import type { SendAppeal } from './decisions';

/**
 * The form of an appeal; `onSent` gets the updated decision. The draft is named after the decision,
 * which only one user can read.
 */
export function useAppeal(decisionId: string, sendAppeal: SendAppeal, onSent: (decision: Decision) => void) {
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
