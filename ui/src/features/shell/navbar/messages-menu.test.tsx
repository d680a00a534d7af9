import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Conversation } from '@/api/contract';
import { announceMessage } from '@/entities/chat/apply-events';
import { setLanguage } from '@/i18n';
import { apply } from '@/realtime/events';
import { aConversation, aMessage, chatServer, openThread, serveChat, TANVIR, tanvirWrites, withOther } from '@/testing/chat';
import { isWide } from '@/testing/deals';
import { queryClient } from '@/testing/query-client';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server } from '@/testing/server';

beforeEach(() => {
  serveChat();
  isWide(true);
});

describe('the messages menu', () => {
  it('lists the conversations and opens the one that is picked', async () => {
    chatServer.conversations = [withOther('c-2', 'farhana', { lastMessage: 'Hello', unread: true }), aConversation()];
    const { router, user } = renderAt('/deal');
    await user.click(await screen.findByRole('button', { name: 'Messages, some unread' }));
    const farhana = await screen.findByRole('menuitem', { name: /farhana/ });
    expect(farhana).toHaveTextContent('farhana: Hello');
    expect(within(farhana).getByRole('img', { name: 'unread' })).toBeVisible();
    expect(screen.getByRole('menuitem', { name: 'See all in Inbox' })).toHaveAttribute('href', '/inbox');
    await user.click(screen.getByRole('menuitem', { name: /tanvir/ }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/inbox/c-1'));
    expect(screen.queryByRole('menu')).toBeNull();
  });

  it('says when there are none', async () => {
    chatServer.conversations = [];
    const { user } = renderAt('/deal');
    await user.click(await screen.findByRole('button', { name: 'Messages' }));
    expect(await screen.findByText('No conversations')).toBeVisible();
  });

  it('says when they could not be had, and no toast does', async () => {
    server.use(http.get('*/api/messages/conversations', () => new HttpResponse(null, { status: 400 })));
    const { user } = renderAt('/deal');
    await user.click(await screen.findByRole('button', { name: 'Messages' }));
    expect(await screen.findByText('Conversation fetch failed')).toBeVisible();
    expect(notices).toEqual([]);
  });

  it('has a dot as soon as something is unread, until it is read', async () => {
    const { user } = renderAt('/deal');
    const button = await screen.findByRole('button', { name: 'Messages' });
    act(() => void tanvirWrites('Look here'));
    await waitFor(() => expect(button).toHaveAccessibleName('Messages, some unread'));
    await user.click(button);
    await user.click(await screen.findByRole('menuitem', { name: /tanvir/ }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Messages' })).toBeVisible());
  });
});

describe('the pop-up of a new message', () => {
  const news = (over: Partial<Conversation> = {}) => {
    const conversation = aConversation({ lastMessage: 'I set a reminder.', unread: true, ...over });
    return { message: aMessage({ conversationId: conversation._id }), conversation };
  };
  const now = () => new Date().toISOString();

  it('says who wrote and what', () => {
    announceMessage(news(), now(), nusrat._id);
    expect(notices).toEqual([
      { kind: 'message', conversationId: 'c-1', name: 'tanvir', picture: TANVIR.profilePic, text: 'I set a reminder.' },
    ]);
  });

  it('comes with the message', () => {
    apply(queryClient, { v: 1, id: 'f-1', seq: 1, ts: now(), type: 'newMessage', data: news() });
    expect(notices).toMatchObject([{ kind: 'message', text: 'I set a reminder.' }]);
  });

  it('does not come for a message of one’s own', () => {
    announceMessage(news(), now(), TANVIR._id);
    expect(notices).toEqual([]);
  });

  it('names an image in the reader’s language', async () => {
    await setLanguage('bn');
    announceMessage(news({ lastMessage: 'Image', lastMessageIsImage: true }), now(), nusrat._id);
    expect(notices[0]?.text).toBe('ছবি');
  });

  it('does not come for the conversation that is looked at, and for news of long ago', async () => {
    announceMessage(news(), new Date(Date.now() - 61_000).toISOString(), nusrat._id);
    await openThread();
    announceMessage(news(), now(), nusrat._id);
    expect(notices).toEqual([]);
    announceMessage(news({ _id: 'c-2' }), now(), nusrat._id);
    expect(notices).toHaveLength(1);
  });
});
