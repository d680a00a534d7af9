import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Block, Conversation, DirectMessage, MessageHistory, Party } from '@/api/contract';
import type { MessageRead, NewMessage } from '@/lib/realtime/parse';
import { writeThrough } from '@/lib/write-through';

export const chatKeys = {
  all: ['chat'] as const,
  list: ['chat', 'conversations'] as const,
  ones: ['chat', 'conversation'] as const,
  one: (id: string) => ['chat', 'conversation', id] as const,
  messages: (id: string) => ['chat', 'messages', id] as const,
  unread: ['chat', 'unread'] as const,
};

export function otherParticipant({ participants }: Conversation, me: string): Party {
  const other = participants.find(({ _id }) => _id !== me) ?? participants[0];
  if (!other) throw new Error('a conversation has two people');
  return other;
}

export type ConversationsPage = { rows: Conversation[]; total: number };
export type Inbox = InfiniteData<ConversationsPage, number>;

/** Newest page first, oldest message first in each. The parameter is the oldest loaded message. */
export type Thread = InfiniteData<MessageHistory, string | undefined>;

type Change = { written: NewMessage; read?: never } | { read: MessageRead; written?: never };

/** The loaded conversations without duplicates: pages shift as messages arrive. */
export function conversationsOf(inbox: Pick<Inbox, 'pages'>): Conversation[] {
  const seen = new Set<string>();
  return inbox.pages
    .flatMap((page) => page.rows)
    .filter(({ _id }) => {
      if (seen.has(_id)) return false;
      seen.add(_id);
      return true;
    });
}

/** The loaded messages, oldest first, without duplicates. */
export function messagesOf(thread: Pick<Thread, 'pages'>): DirectMessage[] {
  const all = thread.pages.toReversed().flatMap((page) => page.messages);
  return [...new Map(all.map((message) => [message._id, message])).values()];
}

function readBy(readers: string[], reader: string): string[] {
  return readers.includes(reader) ? readers : [...readers, reader];
}

/** A conversation after a change, as `me` sees it. Outdated events change nothing. */
function changedConversation(known: Conversation, { written, read }: Change, me: string): Conversation {
  if (written) {
    const { conversation } = written;
    return conversation._id === known._id && conversation.updatedAt >= known.updatedAt ? conversation : known;
  }
  if (read.conversationId !== known._id) return known;
  return {
    ...known,
    unread: read.readerId === me ? false : known.unread,
    lastMessageReadBy: readBy(known.lastMessageReadBy, read.readerId),
  };
}

/** The inbox after a change; a conversation with a new message moves to the top. */
function changedInbox(inbox: Inbox, change: Change, me: string): Inbox {
  const { written } = change;
  if (!written) {
    const pages = inbox.pages.map((page) => ({ ...page, rows: page.rows.map((row) => changedConversation(row, change, me)) }));
    return { ...inbox, pages };
  }
  const id = written.conversation._id;
  const known = inbox.pages.flatMap((page) => page.rows).find((row) => row._id === id);
  const top = known ? changedConversation(known, change, me) : written.conversation;
  if (known && top === known) return inbox;
  const pages = inbox.pages.map((page, index) => {
    const others = page.rows.filter((row) => row._id !== id);
    return { rows: index === 0 ? [top, ...others] : others, total: page.total + (known ? 0 : 1) };
  });
  return { ...inbox, pages };
}

function markedRead(message: DirectMessage, reader: string): DirectMessage {
  if (message.isRead || message.senderId === reader) return message;
  return { ...message, isRead: true, readBy: readBy(message.readBy, reader) };
}

/** Inserts a message by time: missed events arrive after newer messages. */
function inserted(messages: readonly DirectMessage[], message: DirectMessage): DirectMessage[] {
  const written = Date.parse(message.createdAt);
  const before = messages.findLastIndex((one) => Date.parse(one.createdAt) <= written);
  return messages.toSpliced(before + 1, 0, message);
}

function changedThread(thread: Thread, conversationId: string, { written, read }: Change): Thread {
  if (written) {
    const { message } = written;
    if (message.conversationId !== conversationId) return thread;
    if (thread.pages.some((page) => page.messages.some(({ _id }) => _id === message._id))) return thread;
    const [newest, ...older] = thread.pages;
    return newest ? { ...thread, pages: [{ ...newest, messages: inserted(newest.messages, message) }, ...older] } : thread;
  }
  if (read.conversationId !== conversationId) return thread;
  const holder = thread.pages.findIndex((page) => page.messages.some(({ _id }) => _id === read.upTo));
  if (holder < 0) return thread;
  const pages = thread.pages.map((page, index) => {
    if (index < holder) return page;
    const last = index === holder ? page.messages.findIndex(({ _id }) => _id === read.upTo) : page.messages.length - 1;
    const messages = page.messages.map((message, place) => (place <= last ? markedRead(message, read.readerId) : message));
    return { ...page, messages };
  });
  return { ...thread, pages };
}

/** Writes a change into all loaded data of a conversation, and into responses in flight. */
export function writeChange(client: QueryClient, conversationId: string, change: Change, me: string): void {
  writeThrough<Inbox>(client, chatKeys.list, (inbox) => changedInbox(inbox, change, me));
  writeThrough<Thread>(client, chatKeys.messages(conversationId), (thread) => changedThread(thread, conversationId, change));
  writeThrough<Conversation>(client, chatKeys.one(conversationId), (one) => changedConversation(one, change, me));
}

/**
 * Shows a block between the two at once. When one is lifted, other rules still decide whether
 * messages are allowed, so the conversation waits for the server.
 */
export function applyBlock(client: QueryClient, { userId, block }: { userId: string; block: Block }, meId: string): void {
  if (block !== 'none') showBlock(client, userId, block, meId);
  void client.invalidateQueries({ queryKey: chatKeys.ones });
  void client.invalidateQueries({ queryKey: chatKeys.list });
}

function showBlock(client: QueryClient, userId: string, block: Block, meId: string): void {
  const changed = (one: Conversation): Conversation =>
    otherParticipant(one, meId)._id === userId ? { ...one, block, writable: false } : one;
  client.setQueriesData<Conversation>({ queryKey: chatKeys.ones }, (one) => one && changed(one));
  client.setQueryData<Inbox>(
    chatKeys.list,
    (inbox) => inbox && { ...inbox, pages: inbox.pages.map((page) => ({ ...page, rows: page.rows.map(changed) })) },
  );
}
