import { InfiniteQueryObserver } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keys } from '@/entities/keys';
import { aConversation, aMessage, chatServer, manyMessages, minute, serveChat, withOther } from '@/testing/chat';
import { queryClient } from '@/testing/query-client';
import { nusrat, server } from '@/testing/server';
import { applyMessageRead, applyNewMessage } from './apply-events';
import { chatKeys, conversationsOf, type Inbox, messagesOf, type Thread } from './cache';
import { conversationQuery, inboxQuery, messagesQuery, unreadMessagesQuery } from './queries';
import { openConversation } from './read-receipts';

const me = nusrat._id;
const inbox = () => conversationsOf(queryClient.getQueryData<Inbox>(chatKeys.list) ?? { pages: [] });
const thread = () => messagesOf(queryClient.getQueryData<Thread>(chatKeys.messages('c-1')) ?? { pages: [] });
const load = () => Promise.all([queryClient.infiniteQuery(inboxQuery), queryClient.infiniteQuery(messagesQuery('c-1'))]);

function says(text: string, over = {}) {
  const number = thread().length + 1;
  const message = aMessage({ _id: `m-${number}`, text, createdAt: minute(number) });
  const conversation = aConversation({ lastMessage: text, unread: true, updatedAt: message.createdAt, ...over });
  return { message, conversation };
}

beforeEach(() => {
  serveChat();
  queryClient.setQueryData(keys.me, nusrat);
  chatServer.conversations = [withOther('c-2', 'farhana'), aConversation()];
});

describe('a new message', () => {
  it('is appended, brings its conversation to the top, and makes it unread', async () => {
    await load();
    await queryClient.query(unreadMessagesQuery);
    applyNewMessage(queryClient, says('Yes, it is'), me);
    expect(thread().map(({ text }) => text)).toEqual(['Is it still there?', 'Yes, it is']);
    expect(inbox().map(({ _id, unread, lastMessage }) => [_id, unread, lastMessage])).toEqual([
      ['c-1', true, 'Yes, it is'],
      ['c-2', false, 'Is it still there?'],
    ]);
    expect(queryClient.getQueryData(chatKeys.unread)).toBe(true);
  });

  it('keeps its dot when an answer comes that was on its way', async () => {
    let answer: (() => void) | undefined;
    const asked = new Promise<void>((resume) => {
      answer = resume;
    });
    server.use(
      http.get('*/api/messages/unread-dot', async () => {
        await asked;
        return HttpResponse.json({ hasUnread: false });
      }),
    );
    await load();
    const asking = queryClient.query(unreadMessagesQuery).catch(() => null);
    applyNewMessage(queryClient, says('Yes, it is'), me);
    answer?.();
    await asking;
    expect(queryClient.getQueryData(chatKeys.unread)).toBe(true);
  });

  it('of a conversation that was not known is added with it', async () => {
    chatServer.conversations = [withOther('c-2', 'farhana')];
    await load();
    applyNewMessage(queryClient, says('Hello'), me);
    expect(inbox().map(({ _id }) => _id)).toEqual(['c-1', 'c-2']);
  });

  it('comes once, however often it is told', async () => {
    await load();
    const event = says('Once');
    for (let times = 0; times < 3; times += 1) applyNewMessage(queryClient, event, me);
    expect(thread()).toHaveLength(2);
    expect(inbox()).toHaveLength(2);
  });

  it('that comes late, after one that was written later, stands before it', async () => {
    await load();
    const [late, early] = [says('Second'), says('First')];
    applyNewMessage(queryClient, { ...late, message: { ...late.message, createdAt: minute(9) } }, me);
    applyNewMessage(queryClient, { ...early, message: { ...early.message, _id: 'm-8', createdAt: minute(8) } }, me);
    expect(thread().map(({ text }) => text)).toEqual(['Is it still there?', 'First', 'Second']);
  });

  it('that is older than what is known changes no preview', async () => {
    chatServer.conversations = [aConversation({ lastMessage: 'Newest', updatedAt: minute(50) })];
    await load();
    applyNewMessage(queryClient, says('Older'), me);
    expect(inbox()[0]?.lastMessage).toBe('Newest');
  });

  it('is not undone by an answer to a question asked before it', async () => {
    let answer: (() => void) | undefined;
    const asked = new Promise<void>((resume) => {
      answer = resume;
    });
    server.use(
      http.get('*/api/messages/c-1', async () => {
        await asked;
        return HttpResponse.json({ messages: [aMessage()], nextBefore: null });
      }),
      http.get('*/api/messages/conversations', async () => {
        await asked;
        return HttpResponse.json([aConversation()], { headers: { 'X-Total-Count': '1' } });
      }),
    );
    const loading = load();
    applyNewMessage(queryClient, { ...says('Overtakes'), message: aMessage({ _id: 'm-9', text: 'Overtakes' }) }, me);
    answer?.();
    await loading;
    expect(thread().map(({ text }) => text)).toEqual(['Is it still there?', 'Overtakes']);
    expect(inbox()[0]).toMatchObject({ lastMessage: 'Overtakes', unread: true });
  });
});

describe('the open conversation', () => {
  it('is read at once: here and on the server', async () => {
    await load();
    const close = openConversation(queryClient, 'c-1');
    applyNewMessage(queryClient, says('Look'), me);
    expect(inbox()[0]).toMatchObject({ _id: 'c-1', unread: false });
    await waitFor(() => expect(chatServer.read).toEqual(['c-1']));
    close();
  });

  it('is unread while the page is out of view, and read once when somebody looks again', async () => {
    await load();
    const close = openConversation(queryClient, 'c-1');
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    applyNewMessage(queryClient, says('Anybody there?'), me);
    expect(inbox()[0]?.unread).toBe(true);
    visibility.mockReturnValue('visible');
    document.dispatchEvent(new Event('visibilitychange'));
    document.dispatchEvent(new Event('visibilitychange'));
    expect(inbox()[0]?.unread).toBe(false);
    await waitFor(() => expect(chatServer.read).toEqual(['c-1']));
    close();
  });

  it('is marked once when it is opened twice, and tells the server again when that had failed', async () => {
    chatServer.conversations = [aConversation({ unread: true })];
    await load();
    let fails = true;
    server.use(
      http.post('*/api/messages/mark-as-read', () => {
        chatServer.read.push(fails ? 'failed' : 'told');
        return fails ? HttpResponse.error() : HttpResponse.json(aConversation());
      }),
    );
    openConversation(queryClient, 'c-1')();
    const close = openConversation(queryClient, 'c-1');
    await waitFor(() => expect(chatServer.read).toEqual(['failed']));
    expect(inbox()[0]?.unread).toBe(false);
    fails = false;
    await waitFor(() => {
      // The call is still running until its failure arrives.
      window.dispatchEvent(new Event('online'));
      expect(chatServer.read).toEqual(['failed', 'told']);
    });
    close();
  });
});

describe('a reading', () => {
  it('of the other ticks my messages up to the one he has read', async () => {
    chatServer.messages = manyMessages(6);
    await load();
    applyMessageRead(queryClient, { conversationId: 'c-1', readerId: 'u-tanvir', upTo: 'm-4' }, me);
    const mine = thread().filter(({ senderId }) => senderId === me);
    expect(mine.map(({ _id, isRead }) => [_id, isRead])).toEqual([
      ['m-2', true],
      ['m-4', true],
      ['m-6', false],
    ]);
    expect(mine[0]?.readBy).toEqual([me, 'u-tanvir']);
  });

  it('that ends on an older page ticks nothing on the newer one', async () => {
    chatServer.messages = manyMessages(40);
    await load();
    await new InfiniteQueryObserver(queryClient, messagesQuery('c-1')).fetchNextPage();
    applyMessageRead(queryClient, { conversationId: 'c-1', readerId: 'u-tanvir', upTo: 'm-4' }, me);
    const ticked = thread().filter(({ senderId, isRead }) => senderId === me && isRead);
    expect(ticked.map(({ _id }) => _id)).toEqual(['m-2', 'm-4']);
  });

  it('of mine on another screen takes the unread mark away', async () => {
    chatServer.conversations = [aConversation({ unread: true })];
    await load();
    await queryClient.query(conversationQuery('c-1'));
    applyMessageRead(queryClient, { conversationId: 'c-1', readerId: me, upTo: 'm-1' }, me);
    expect(inbox()[0]).toMatchObject({ unread: false, lastMessageReadBy: ['u-tanvir', me] });
    expect(queryClient.getQueryData(chatKeys.one('c-1'))).toMatchObject({ unread: false });
  });
});

describe('pages', () => {
  it('keep what was written and read while older ones were on their way', async () => {
    chatServer.messages = manyMessages(65);
    chatServer.conversations = [
      ...Array.from({ length: 52 }, (_, index) => withOther(`c-9${index}`, `user${index}`)),
      aConversation({ unread: true }),
    ];
    await load();
    const older = Promise.all([
      new InfiniteQueryObserver(queryClient, messagesQuery('c-1')).fetchNextPage(),
      new InfiniteQueryObserver(queryClient, inboxQuery).fetchNextPage(),
    ]);
    applyNewMessage(
      queryClient,
      { ...says('Meanwhile'), message: aMessage({ _id: 'm-99', text: 'Meanwhile', createdAt: minute(90) }) },
      me,
    );
    await older;
    expect(thread()).toHaveLength(61);
    expect(thread().at(-1)?.text).toBe('Meanwhile');
    expect(inbox()).toHaveLength(53);
    expect(inbox()[0]).toMatchObject({ _id: 'c-1', lastMessage: 'Meanwhile' });
  });

  it('that shifted meanwhile show each conversation once, and each message', async () => {
    chatServer.conversations = Array.from({ length: 52 }, (_, index) => withOther(`c-${index}`, `user${index}`));
    chatServer.messages = manyMessages(65);
    await load();
    await queryClient.infiniteQuery({ ...inboxQuery, pages: 2, staleTime: 0 });
    applyNewMessage(queryClient, says('First', { _id: 'c-51' }), me);
    expect(inbox()).toHaveLength(52);
    expect(inbox()[0]?._id).toBe('c-51');
    await queryClient.infiniteQuery({ ...messagesQuery('c-1'), pages: 3, staleTime: 0 });
    expect(thread().map(({ _id }) => _id)).toEqual(manyMessages(65).map(({ _id }) => _id));
  });
});

it('when it is not known whether anything is unread, there is no dot', async () => {
  server.use(http.get('*/api/messages/unread-dot', () => new HttpResponse(null, { status: 500 })));
  expect(await queryClient.query(unreadMessagesQuery)).toBe(false);
});
