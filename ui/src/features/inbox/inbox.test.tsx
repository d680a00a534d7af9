import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { setOnline } from '@/lib/realtime/live';
import { aConversation, chatServer, openThread, serveChat, tanvirWrites, withOther } from '@/testing/chat';
import { isWide } from '@/testing/deals';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { aDeal, nusrat, server } from '@/testing/server';

beforeEach(() => {
  serveChat();
  isWide(true);
});

const list = () => screen.findByRole('navigation', { name: 'Conversations' });
const rows = async () => within(await list()).findAllByRole('link');
const row = async (name: RegExp) => within(await list()).findByRole('link', { name });

describe('the list', () => {
  it('shows name, preview and what is unread, newest first', async () => {
    chatServer.conversations = [
      withOther('c-2', 'farhana', { lastMessage: 'I can start on Saturday if you want me to', unread: true }),
      withOther('c-3', 'rakib', { lastMessage: 'Image', lastMessageIsImage: true }),
      aConversation({ lastSenderId: nusrat._id, lastMessage: 'নমস্কার' }),
      withOther('c-4', 'imran', { lastMessage: '', lastSenderId: null, lastMessageReadBy: [] }),
    ];
    setOnline(['u-farhana']);
    renderAt('/inbox');
    expect((await rows()).map(({ textContent }) => /farhana|rakib|tanvir|imran/.exec(textContent)?.[0])).toEqual([
      ...['farhana', 'rakib', 'tanvir', 'imran'],
    ]);
    const [farhana, rakib, tanvir, imran] = [await row(/farhana/), await row(/rakib/), await row(/tanvir/), await row(/imran/)];
    expect(farhana).toHaveTextContent('farhana: I can start on Saturday if you…');
    expect(farhana).toHaveTextContent('online');
    expect(within(farhana).getByRole('img', { name: 'unread' })).toBeVisible();
    expect(farhana).toHaveAttribute('href', '/inbox/c-2');
    expect(rakib).toHaveTextContent('rakib: Image');
    expect(rakib).not.toHaveTextContent('online');
    expect(tanvir).toHaveTextContent('Me: নমস্কার');
    expect(within(tanvir).queryByRole('img', { name: 'unread' })).toBeNull();
    expect(imran).not.toHaveTextContent('imran:');
    expect(screen.getByText('1 unread')).toBeVisible();
    expect(await screen.findByText('Start something new')).toBeVisible();
    expect(screen.queryByRole('contentinfo')).toBeNull();
  });

  it('says when there is none, and when it could not be had', async () => {
    chatServer.conversations = [];
    let down = true;
    server.use(http.get('*/api/messages/conversations', () => (down ? new HttpResponse(null, { status: 400 }) : undefined)));
    const { user } = renderAt('/inbox');
    expect(await screen.findByText('Conversation fetch failed')).toBeVisible();
    down = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('No conversations')).toBeVisible();
    expect(notices).toEqual([]);
  });

  it('goes on to older conversations', async () => {
    chatServer.conversations = Array.from({ length: 51 }, (_, index) => withOther(`c-${index}`, `user${index}`));
    const { user } = renderAt('/inbox');
    expect(await rows()).toHaveLength(50);
    await user.click(screen.getByRole('button', { name: 'Show older conversations' }));
    await waitFor(async () => expect(await rows()).toHaveLength(51));
    expect(screen.queryByRole('button', { name: 'Show older conversations' })).toBeNull();
  });

  it('moves a conversation up when something is written in it', async () => {
    chatServer.conversations = [withOther('c-2', 'farhana'), aConversation()];
    renderAt('/inbox');
    expect((await rows())[0]).toHaveTextContent('farhana');
    tanvirWrites('Are you there?');
    await waitFor(async () => expect((await rows())[0]).toHaveTextContent('tanvir: Are you there?'));
  });
});

describe('the conversation that was open last', () => {
  it('is kept on this device, and opens again where there is room for it', async () => {
    await openThread();
    const kept: unknown = JSON.parse(localStorage.getItem('chat-storage') ?? '');
    expect(kept).toMatchObject({ selectedConversation: 'c-1', selectedUser: { username: 'tanvir' } });
    const { router } = renderAt('/inbox');
    await waitFor(() => expect(router.state.location.pathname).toBe('/inbox/c-1'));
  });

  it('does not stand in the way of the list on a phone', async () => {
    await openThread();
    isWide(false);
    const { router } = renderAt('/inbox');
    await waitFor(() => expect(router.state.status).toBe('idle'));
    expect(router.state.location.pathname).toBe('/inbox');
  });

  it('is forgotten when it is not there', async () => {
    localStorage.setItem('chat-storage', JSON.stringify({ owner: nusrat._id, selectedConversation: 'c-9' }));
    const { router } = renderAt('/inbox');
    expect(await screen.findByText('Start something new')).toBeVisible();
    expect(router.state.location.pathname).toBe('/inbox');
    expect(notices.map(({ kind, text }) => [kind, text])).toEqual([['error', 'Conversation not found.']]);
    expect(localStorage.getItem('chat-storage')).toBeNull();
  });

  it('is nobody else’s', async () => {
    localStorage.setItem('chat-storage', JSON.stringify({ owner: 'u-tanvir', selectedConversation: 'c-1' }));
    const { router } = renderAt('/inbox');
    expect(await screen.findByText('Start something new')).toBeVisible();
    expect(router.state.location.pathname).toBe('/inbox');
  });
});

describe('the head of a conversation', () => {
  it('says with whom it is, whether he is online, and leads to his profile', async () => {
    setOnline([]);
    await openThread();
    const chat = within(screen.getByRole('region', { name: 'Conversation with tanvir' }));
    const profile = chat.getByRole('link', { name: /tanvir/ });
    expect(profile).toHaveAttribute('href', '/profile/tanvir');
    expect(profile).not.toHaveTextContent('online');
    setOnline(['u-tanvir']);
    await waitFor(() => expect(profile).toHaveTextContent('online'));
    expect(document.title).toBe('Conversation with tanvir | Amanat');
  });

  it('says until when the other is away', async () => {
    const [me, other] = aConversation().participants;
    if (me && other) chatServer.conversations = [aConversation({ participants: [me, { ...other, awayUntil: '2099-12-03' }] })];
    await openThread();
    const chat = within(screen.getByRole('region', { name: 'Conversation with tanvir' }));
    expect(chat.getByRole('link', { name: /tanvir/ })).toHaveTextContent('Away until 3 Dec 2099');
  });

  it('has the open deal of the two pinned under it', async () => {
    server.use(
      http.get('*/api/deals/between/u-nusrat/u-tanvir', () =>
        HttpResponse.json([
          aDeal({ _id: 'd-3', description: 'An offer' }),
          aDeal({ _id: 'd-1', status: 'Delivered', activatedAt: '2026-11-08T04:14:00Z' }),
        ]),
      ),
    );
    await openThread();
    const strip = await screen.findByRole('link', { name: /Your deal with / });
    expect(strip).toHaveAttribute('href', '/deal/d-1');
    expect(strip).toHaveTextContent('Ranna Ghor 24Delivered');
    expect(within(strip).getByRole('img', { name: 'Amanat holds $480.00' })).toHaveTextContent(/^You.*tanvir$/);
    expect(strip).toHaveTextContent('and 1 more deal');
    expect(screen.getByRole('link', { name: 'Open deal' })).toHaveAttribute('href', '/deal/d-1');
  });
});
