import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Decision } from '@/api/contract';
import { keys } from '@/entities/keys';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { decision as catalogue } from '@/i18n/en/decision';
import { appealSchema } from './appeal-schema';
import type { SendAppeal } from './decisions';

/** The form of an appeal: `onSent` gets the decision as it is then. */
export function useAppeal(sendAppeal: SendAppeal, onSent: (decision: Decision) => void) {
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
    toast: null,
    mutation,
    onSubmit: ({ text }) => mutation.mutateAsync({ text: text.trim() }),
  });
  return { ...form, mutation };
}
