import { redirect } from '@tanstack/react-router';
import { translate } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { chatKeys } from '@/lib/chat/keys';
import type { Inbox } from '@/lib/chat/pages';
import { conversationQuery, inboxQuery, messagesQuery, reader } from '@/lib/chat/queries';
import { forgetSelection, selectedConversation } from '@/lib/chat/selection';
import { bringBackUnsent } from '@/lib/chat/send';
import { errorText, isApiError } from '@/lib/errors';
import { inBackground } from '@/lib/loading';
import { queryClient } from '@/lib/query-client';
import { notify } from '@/lib/toast';

/** From this width on, list and chat are on one page (docs/rules.md#shell). */
const BOTH = '(min-width: 769px)';

/** The list for its place on the page, which shows its progress and its failure. */
export function loadInbox(): void {
  inBackground(queryClient.infiniteQuery({ ...inboxQuery, staleTime: 'static' }));
}

/** The conversation that was chosen last opens again where there is room for it beside the list. */
export function reopen(): void {
  const id = selectedConversation(reader(queryClient));
  if (id === null || !window.matchMedia(BOTH).matches) return;
  throw redirect({ to: '/inbox/$conversationId', params: { conversationId: id }, replace: true });
}

/** What the list knows of the conversation stands on the page until more is known. */
function showKnown(id: string): boolean {
  if (queryClient.getQueryData(chatKeys.one(id))) return true;
  const list = queryClient.getQueryState<Inbox>(chatKeys.list);
  const known = list?.data?.pages.flatMap(({ rows }) => rows).find(({ _id }) => _id === id);
  if (known) queryClient.setQueryData(chatKeys.one(id), known, { updatedAt: list?.dataUpdatedAt });
  return known !== undefined;
}

/** A conversation for its page. One that is not there, or not the user's, leads back to the inbox; other failures are shown in its place. */
export async function loadThread(id: string, preload: boolean): Promise<void> {
  bringBackUnsent(reader(queryClient), id);
  inBackground(queryClient.infiniteQuery({ ...messagesQuery(id), staleTime: 'static' }));
  if (showKnown(id)) return;
  try {
    await queryClient.query({ ...conversationQuery(id), staleTime: 'static' });
  } catch (error) {
    if (preload) throw error;
    if (!isApiError(error, 'not_found')) return;
    if (selectedConversation(reader(queryClient)) === id) forgetSelection();
    notify.error(errorText(error, translate(chat, 'failed.conversation')));
    throw redirect({ to: '/inbox', replace: true });
  }
}
