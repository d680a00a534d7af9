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
import { chatKeys, writeChange } from './cache';
import { readerId } from './queries';

/** The partner and the subject, which the greeting of a new conversation names. */
export type Opening = { receiverId: string; postId?: string; dealId?: string };

/**
 * Opens the conversation with a person, for signed-in users. The server sends the greeting in the
 * transaction that creates the conversation, so it is sent once.
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
      if (error instanceof ApiError && error.status === 401) return; // the login dialog opens
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
