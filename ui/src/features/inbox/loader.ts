import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { chatKeys, type Inbox } from '@/entities/chat/cache';
import { conversationQuery, inboxQuery, messagesQuery, readerId } from '@/entities/chat/queries';
import { selectedConversation } from '@/entities/chat/selection';
import { restoreUnsent } from '@/entities/chat/send';
import { translate } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { errorText, isApiError } from '@/lib/errors';
import { prefetch } from '@/lib/prefetch';
import { dropStored, SELECTION } from '@/lib/storage-owner';
import { notify } from '@/lib/toast';
import { chatWarningsQuery } from './queries';

/** Wider windows show list and chat (docs/rules.md#shell). */
const BOTH_PANES = '(min-width: 769px)';

/** Loads the list, which shows progress and failure itself. */
export function loadInbox(queryClient: QueryClient): void {
  prefetch(queryClient, inboxQuery);
}

/** Opens the last conversation again if there is room beside the list. */
export function reopen(queryClient: QueryClient): void {
  const id = selectedConversation(readerId(queryClient));
  if (id === null || !window.matchMedia(BOTH_PANES).matches) return;
  throw redirect({ to: '/inbox/$conversationId', params: { conversationId: id }, replace: true });
}

function showKnown(queryClient: QueryClient, id: string): boolean {
  if (queryClient.getQueryData(chatKeys.one(id))) return true;
  const list = queryClient.getQueryState<Inbox>(chatKeys.list);
  const known = list?.data?.pages.flatMap(({ rows }) => rows).find(({ _id }) => _id === id);
  if (known) queryClient.setQueryData(chatKeys.one(id), known, { updatedAt: list?.dataUpdatedAt });
  return known !== undefined;
}

/** Loads a conversation. A missing one leads to the inbox; the page shows other failures. */
export async function loadThread(queryClient: QueryClient, id: string, preload: boolean): Promise<void> {
  restoreUnsent(readerId(queryClient), id);
  prefetch(queryClient, messagesQuery(id), chatWarningsQuery);
  if (showKnown(queryClient, id)) return;
  try {
    await queryClient.query({ ...conversationQuery(id), staleTime: 'static' });
  } catch (error) {
    if (preload) throw error;
    if (!isApiError(error, 'not_found')) return;
    if (selectedConversation(readerId(queryClient)) === id) dropStored(SELECTION);
    notify.error(errorText(error, translate(chat, 'failed.conversation')));
    throw redirect({ to: '/inbox', replace: true });
  }
}
