import { createStore, useSelector } from '@tanstack/react-store';
import { dropDraft, keepDraft, readDraft } from '@/lib/draft';
import { onStorageCleared } from '@/lib/storage-owner';

/** What stands in the composer of a conversation. `from` is the failed message that it was given back from. */
export type ChatDraft = { text: string; image: string; from: string | null };

export const EMPTY_DRAFT: ChatDraft = { text: '', image: '', from: null };
const NO_TEXT = { text: '' };

/** The drafts that were changed on this page; the tab may store others, of an earlier load. */
const drafts = createStore<ReadonlyMap<string, ChatDraft>>(new Map<string, ChatDraft>());

/** Two people may use one browser one after the other, and a conversation belongs to both. */
const place = (me: string, conversationId: string): string => `chat:${me}:${conversationId}`;

export function chatDraft(me: string, conversationId: string): ChatDraft {
  const key = place(me, conversationId);
  const draft = drafts.state.get(key);
  if (draft) return draft;
  const { text } = readDraft(key, NO_TEXT);
  return text === '' ? EMPTY_DRAFT : { ...EMPTY_DRAFT, text };
}

function put(key: string, draft: ChatDraft): void {
  drafts.setState((all) => new Map(all).set(key, draft));
}

/** Forgets every draft that is in memory. What the tab stores stays there. */
export function resetDrafts(): void {
  drafts.setState(() => new Map());
}

onStorageCleared(resetDrafts);

/** Puts something into the composer. Its text stays through a reload of this tab; a picture is too large for that. */
export function setChatDraft(me: string, conversationId: string, draft: ChatDraft): void {
  const key = place(me, conversationId);
  keepDraft(key, { text: draft.text }, NO_TEXT);
  put(key, draft);
}

/** What a failed message gives back to the composer. It is kept with that message; once it is changed it is a draft like any other. */
export function restoreChatDraft(me: string, conversationId: string, draft: ChatDraft): void {
  const key = place(me, conversationId);
  dropDraft(key);
  put(key, draft);
}

const same = (a: ChatDraft, b: ChatDraft): boolean => a.text === b.text && a.image === b.image && a.from === b.from;

export function useChatDraft(me: string, conversationId: string): ChatDraft {
  return useSelector(drafts, () => chatDraft(me, conversationId), { compare: same });
}
