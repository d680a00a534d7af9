import { useSyncExternalStore } from 'react';
import { dropDraft, keepDraft, readDraft } from '@/lib/draft';
import { onStorageCleared } from '@/lib/storage';

/** What stands in the composer of a conversation. `from` is the failed message that it was given back from. */
export type ChatDraft = { text: string; image: string; from: string | null };

export const EMPTY_DRAFT: ChatDraft = { text: '', image: '', from: null };
const NO_TEXT = { text: '' };

const drafts = new Map<string, ChatDraft>();
const listeners = new Set<() => void>();

/** Two people may use one browser one after the other, and a conversation belongs to both. */
const place = (me: string, conversationId: string): string => `chat:${me}:${conversationId}`;

export function chatDraft(me: string, conversationId: string): ChatDraft {
  const key = place(me, conversationId);
  let draft = drafts.get(key);
  if (!draft) {
    const { text } = readDraft(key, NO_TEXT);
    draft = text === '' ? EMPTY_DRAFT : { ...EMPTY_DRAFT, text };
    drafts.set(key, draft);
  }
  return draft;
}

function tell(): void {
  for (const listener of listeners) listener();
}

function put(key: string, draft: ChatDraft): void {
  drafts.set(key, draft);
  tell();
}

onStorageCleared(() => {
  drafts.clear();
  tell();
});

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

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useChatDraft(me: string, conversationId: string): ChatDraft {
  return useSyncExternalStore(subscribe, () => chatDraft(me, conversationId));
}
