import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { Conversation, DirectMessage, User } from '@/api/contract';
import { applyNewMessage } from '@/entities/chat/apply-events';
import { EMPTY_DRAFT, setChatDraft } from '@/entities/chat/drafts';
import { queryClient } from './query-client';
import { renderAt } from './render';
import { nusrat, server, signedInAs } from './server';

export const TANVIR = { _id: 'u-tanvir', username: 'tanvir', profilePic: '', isStaff: false };
const NUSRAT = { _id: nusrat._id, username: nusrat.username, profilePic: '', isStaff: false };
const START = Date.parse('2026-11-20T05:00:00Z');

/** A time in minutes after the first message. */
export const minute = (minutes: number): string => new Date(START + minutes * 60_000).toISOString();

/** A message from Tanvir to Nusrat. */
export function aMessage(over: Partial<DirectMessage> = {}): DirectMessage {
  const mine = over.senderId === nusrat._id;
  return {
    _id: 'm-1',
    conversationId: 'c-1',
    senderId: TANVIR._id,
    senderName: mine ? 'nusrat' : 'tanvir',
    receiverId: mine ? TANVIR._id : nusrat._id,
    text: 'Is it still there?',
    image: '',
    isRead: false,
    readBy: [over.senderId ?? TANVIR._id],
    createdAt: minute(0),
    ...over,
  };
}

/** Their conversation, from Nusrat's view. */
export function aConversation(over: Partial<Conversation> = {}): Conversation {
  return {
    _id: 'c-1',
    participants: [NUSRAT, TANVIR],
    lastMessage: 'Is it still there?',
    lastMessageIsImage: false,
    lastMessageIsDelivery: false,
    lastSenderId: TANVIR._id,
    lastMessageReadBy: [TANVIR._id],
    unread: false,
    writable: true,
    block: 'none',
    answered: true,
    updatedAt: minute(0),
    ...over,
  };
}

export function withOther(id: string, username: string, over: Partial<Conversation> = {}): Conversation {
  const other = { _id: `u-${username}`, username, profilePic: '', isStaff: false };
  return aConversation({ _id: id, participants: [NUSRAT, other], lastSenderId: other._id, ...over });
}

/** The server's state and its record of calls; tests change it. */
export const chatServer = {
  conversations: [] as Conversation[],
  messages: [] as DirectMessage[],
  read: [] as string[],
  sent: [] as { key: string | null; text: string; image: string }[],
};

const PAGE = 30;

/** Call before each test: Nusrat's inbox, with messages in the conversation c-1. */
export function serveChat(): void {
  Object.assign(chatServer, { conversations: [aConversation()], messages: [aMessage()], read: [], sent: [] });
  setChatDraft(nusrat._id, 'c-1', EMPTY_DRAFT);
  signedInAs(nusrat);
  server.use(
    http.get('*/api/messages/unread-dot', () =>
      HttpResponse.json({ hasUnread: chatServer.conversations.some(({ unread }) => unread) }),
    ),
    http.get('*/api/messages/conversations', ({ request }) => {
      const page = Number(new URL(request.url).searchParams.get('page') ?? 1);
      const limit = Number(new URL(request.url).searchParams.get('limit') ?? 50);
      const { conversations } = chatServer;
      return HttpResponse.json(conversations.slice((page - 1) * limit, page * limit), {
        headers: { 'X-Total-Count': String(conversations.length) },
      });
    }),
    http.get('*/api/messages/conversations/:id', ({ params }) => {
      const found = chatServer.conversations.find(({ _id }) => _id === params.id);
      return found ? HttpResponse.json(found) : notFound();
    }),
    http.get('*/api/messages/:id', ({ request }) => {
      const before = new URL(request.url).searchParams.get('before');
      const { messages } = chatServer;
      const end = before === null ? messages.length : messages.findIndex(({ _id }) => _id === before);
      const start = Math.max(0, end - PAGE);
      return HttpResponse.json({ messages: messages.slice(start, end), nextBefore: start > 0 ? messages[start]?._id : null });
    }),
    http.post('*/api/messages/mark-as-read', async ({ request }) => {
      const { conversationId } = (await request.json()) as { conversationId: string };
      chatServer.read.push(conversationId);
      chatServer.conversations = chatServer.conversations.map((one) =>
        one._id === conversationId ? { ...one, unread: false } : one,
      );
      return HttpResponse.json(chatServer.conversations.find(({ _id }) => _id === conversationId));
    }),
    http.post('*/api/messages', ({ request }) => receive(request)),
    http.get('*/api/deals/between/:one/:other', () => HttpResponse.json([])),
  );
}

export const notFound = () => HttpResponse.json({ message: 'Conversation not found.', code: 'not_found' }, { status: 404 });

/** Accepts a message from Nusrat. */
export async function receive(request: Request) {
  const { text, image } = (await request.json()) as { text: string; image: string };
  const key = request.headers.get('Idempotency-Key');
  chatServer.sent.push({ key, text, image });
  return HttpResponse.json(written(text, image, key), { status: 201 });
}

let ids = 0;

/** An accepted message of Nusrat; no other test uses this id. */
export function written(text: string, image = '', key: string | null = null) {
  const number = chatServer.messages.length + 1;
  ids += 1;
  const message = aMessage({
    ...{ _id: `mine-${ids}`, senderId: nusrat._id, text, createdAt: minute(number) },
    image: image === '' ? '' : '/api/images/i-1',
    ...(key === null ? {} : { clientKey: key }),
  });
  chatServer.messages.push(message);
  const conversation = aConversation({
    ...{ lastMessage: text, lastSenderId: nusrat._id, lastMessageReadBy: [nusrat._id], updatedAt: message.createdAt },
  });
  return { message, conversation };
}

/** Sends the event of a message from Tanvir. */
export function tanvirWrites(text: string, over: Partial<Conversation> = {}): DirectMessage {
  const number = chatServer.messages.length + 1;
  const message = aMessage({ _id: `m-${number}`, text, createdAt: minute(number) });
  chatServer.messages.push(message);
  const conversation = aConversation({ lastMessage: text, unread: true, updatedAt: message.createdAt, ...over });
  chatServer.conversations = [conversation, ...chatServer.conversations.filter(({ _id }) => _id !== conversation._id)];
  applyNewMessage(queryClient, { message, conversation }, nusrat._id);
  return message;
}

/** Messages a minute apart, from both in turn. */
export function manyMessages(count: number): DirectMessage[] {
  return Array.from({ length: count }, (_, index) =>
    aMessage({
      ...{ _id: `m-${index + 1}`, text: `Message ${index + 1}`, createdAt: minute(index) },
      senderId: index % 2 === 0 ? TANVIR._id : nusrat._id,
    }),
  );
}

/** Opens the conversation c-1. */
export async function openThread(user: User = nusrat) {
  signedInAs(user);
  const app = renderAt('/inbox/c-1');
  const log = await screen.findByRole('log', { name: 'Messages' });
  return { ...app, log, field: screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }) };
}
