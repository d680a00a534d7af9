import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { setLanguage } from '@/i18n';
import { announceMessage } from '@/lib/chat/announce';
import { aConversation, chatServer, openThread, serveChat, tanvirWrites, withOther } from '@/testing/chat';
import { isWide } from '@/testing/deals';
import { renderAt } from '@/testing/render';
import { server } from '@/testing/server';
import { notices } from '@/testing/setup';

beforeEach(() => {
  serveChat();
  isWide(true);
});

describe('the messages menu', () => {
  it('lists the conversations and opens the one that is picked', async () => {
    chatServer.conversations = [withOther('c-2', 'farhana', { lastMessage: 'Hello', unread: true }), aConversation()];
    const { router, user } = renderAt('/deal');
    await user.click(await screen.findByRole('button', { name: 'Messages, some unread' }, { timeout: 5_000 }));
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
  const popup = (over = {}) => ({
    senderId: 'u-tanvir',
    sender: { _id: 'u-tanvir', username: 'tanvir', profilePic: '/api/images/i-9' },
    conversationId: 'c-1',
    text: 'I set a reminder.',
    isImage: false,
    ...over,
  });
  const now = () => new Date().toISOString();

  it('says who wrote and what', () => {
    announceMessage(popup(), now());
    expect(notices).toEqual([
      { kind: 'message', conversationId: 'c-1', name: 'tanvir', picture: '/api/images/i-9', text: 'I set a reminder.' },
    ]);
  });

  it('names an image in the reader’s language', async () => {
    await setLanguage('bn');
    announceMessage(popup({ text: 'Image', isImage: true }), now());
    expect(notices[0]?.text).toBe('ছবি');
  });

  it('does not come for the conversation that is looked at, and for news of long ago', async () => {
    announceMessage(popup(), new Date(Date.now() - 61_000).toISOString());
    await openThread();
    announceMessage(popup(), now());
    expect(notices).toEqual([]);
    announceMessage(popup({ conversationId: 'c-2' }), now());
    expect(notices).toHaveLength(1);
  });
});
