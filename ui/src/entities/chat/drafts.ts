import { createStore, useSelector } from '@tanstack/react-store';
import { dropDraft, keepDraft, readDraft } from '@/lib/draft';
import { onStorageCleared } from '@/lib/storage-owner';

/** The input of a composer. `from` is the failed message that it was restored from. */
export type ChatDraft = { text: string; image: string; from: string | null };

export const EMPTY_DRAFT: ChatDraft = { text: '', image: '', from: null };
const NO_TEXT = { text: '' };

/** Drafts changed on this page. The tab's storage may have others from an earlier load. */
const drafts = createStore<ReadonlyMap<string, ChatDraft>>(new Map<string, ChatDraft>());

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

onStorageCleared(() => drafts.setState(() => new Map()));

/** Sets the composer's input. Its text survives a reload; pictures are too large to store. */
export function setChatDraft(me: string, conversationId: string, draft: ChatDraft): void {
  const key = place(me, conversationId);
  keepDraft(key, { text: draft.text }, NO_TEXT);
  put(key, draft);
}

/** Restores a failed message to the composer. It is stored with that message until it is edited. */
export function restoreChatDraft(me: string, conversationId: string, draft: ChatDraft): void {
  const key = place(me, conversationId);
  dropDraft(key);
  put(key, draft);
}

const same = (a: ChatDraft, b: ChatDraft): boolean => a.text === b.text && a.image === b.image && a.from === b.from;

export function useChatDraft(me: string, conversationId: string): ChatDraft {
  return useSelector(drafts, () => chatDraft(me, conversationId), { compare: same });
}
