import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Conversation } from '@/api/contract';
import { useStillHere } from '@/hooks/use-still-here';
import { translate } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { api, idempotent, send } from '@/lib/api';
import { ApiError, errorAdvice, errorText } from '@/lib/errors';
import { useKeyed } from '@/lib/idempotency';
import { notify } from '@/lib/toast';
import { writeChange } from './cache';
import { chatKeys } from './keys';
import { readerId } from './queries';

/** With whom, and about what: a new conversation begins with a greeting that names it. */
export type Opening = { receiverId: string; postId?: string; dealId?: string };

/**
 * Opens the conversation with somebody: from a post, a deal or a profile. For signed-in users. The server greets the other in the
 * transaction that makes the conversation, so he is greeted once, however often this is called.
 */
export function useStartChat() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const here = useStillHere();
  const keyed = useKeyed((opening: Opening, key) =>
    send(api.POST('/messages/send-or-start', { body: opening, headers: idempotent(key) })),
  );
  const mutation = useMutation({
    mutationFn: (opening: Opening) => keyed(opening),
    meta: { quiet: true },
    onSuccess: ({ conversation, message }) => {
      const me = readerId(queryClient);
      const id = conversation._id;
      if (message) writeChange(queryClient, id, { written: { message, conversation } }, me);
      else void queryClient.invalidateQueries({ queryKey: chatKeys.list });
      queryClient.setQueryData<Conversation>(chatKeys.one(id), conversation);
      return here() ? navigate({ to: '/inbox/$conversationId', params: { conversationId: id } }) : undefined;
    },
    onError: (error, { postId }) => {
      if (error instanceof ApiError && error.status === 401) return; // the log-in dialog speaks
      const fallback = translate(chat, postId === undefined ? 'failed.start' : 'failed.startFromPost');
      notify.error(errorText(error, fallback), errorAdvice(error) ?? undefined);
    },
  });
  return {
    start: (opening: Opening) => {
      if (!mutation.isPending) mutation.mutate(opening);
    },
    pending: mutation.isPending,
  };
}
