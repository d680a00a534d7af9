import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Report } from '@/api/contract';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { report as catalogue } from '@/i18n/en/report';
import { api, idempotent, send } from '@/lib/api';
import { textDraft } from '@/lib/draft';
import { useKeyed } from '@/lib/idempotency';
import { type ReportValues, reportSchema } from './report-schema';
import type { Subject } from './subject';

export function useReport({ subject, id }: Subject) {
  const t = useTexts(catalogue);
  const queryClient = useQueryClient();
  const me = useMe();
  const keyed = useKeyed((body: { subject: Report['subject']; subjectId: string; reason: Report['reason']; text: string }, key) =>
    send(api.POST('/reports', { body, headers: idempotent(key) })),
  );
  const mutation = useMutation({
    mutationFn: ({ reason, text }: ReportValues) =>
      keyed({ subject, subjectId: id, reason: reason as Report['reason'], text: text.trim() }),
    meta: { quiet: true },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.reports }),
  });
  const form = useDraftForm({
    schema: reportSchema,
    t,
    empty: { reason: '', text: '' },
    draft: textDraft(`report-${me._id}-${subject}-${id}`),
    toast: null,
    mutation,
    onSubmit: (values) => mutation.mutateAsync(values),
  });
  return { ...form, mutation };
}
