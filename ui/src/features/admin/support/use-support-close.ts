import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SupportRequest } from '@/api/contract';
import { keys } from '@/entities/keys';
import { withConfirmation } from '@/entities/user/second-factor/confirmation';
import { translate } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { api, send } from '@/lib/api';
import { ApiError, errorAdvice, errorText, isApiError } from '@/lib/errors';
import { notify } from '@/lib/toast';
import { openSupportQuery } from '../deals/queries';

/** With `othersOpen`, another request of the deal keeps its clock stopped. */
export function useSupportClose(request: SupportRequest) {
  const queryClient = useQueryClient();
  const [closed, setClosed] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const open = useQuery(openSupportQuery).data?.rows ?? [];
  const close = useMutation({
    mutationFn: (answer: string) =>
      withConfirmation(() =>
        send(api.POST('/admin/support-request/{id}/close', { params: { path: { id: request._id } }, body: { answer } })),
      ),
    meta: { quiet: true, success: () => translate(admin, 'toast.supportClosed') },
    onSuccess: () => setClosed(true),
    onError: (error) => {
      if (isApiError(error, 'password_required') || (error instanceof ApiError && error.status === 401)) return;
      notify.error(errorText(error, translate(admin, 'toast.supportCloseFailed')), errorAdvice(error) ?? undefined);
      if (isApiError(error, 'already_handled')) setRefused(errorText(error));
    },
    onSettled: () =>
      Promise.all(
        [keys.adminSupport, keys.adminDeals, keys.deals].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  });
  return {
    closed: closed || request.closedAt !== null,
    justClosed: closed,
    refused,
    othersOpen: open.some(({ _id, dealId }) => dealId === request.dealId && _id !== request._id),
    busy: close.isPending,
    run: (answer: string) => {
      if (!close.isPending) close.mutate(answer);
    },
  };
}
