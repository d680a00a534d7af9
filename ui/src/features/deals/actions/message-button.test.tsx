import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { aConversation, chatServer, serveChat, written } from '@/testing/chat';
import { ACTIVE, aDetail, openDeal, serveDeal } from '@/testing/deals';
import { notices } from '@/testing/recorded';
import { nusrat, server } from '@/testing/server';

beforeEach(() => {
  serveDeal();
  serveChat();
});

describe('writing to the other party', () => {
  it('opens the conversation about the deal, with the greeting that the server wrote', async () => {
    const bodies: unknown[] = [];
    chatServer.messages = [];
    server.use(
      http.post('*/api/messages/send-or-start', async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json({ ...written('Hello tanvir, about our deal'), created: true }, { status: 201 });
      }),
    );
    const { user, router } = await openDeal(nusrat, aDetail(ACTIVE));
    await user.dblClick(screen.getByRole('button', { name: 'Message tanvir' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/inbox/c-1'));
    expect(await screen.findByRole('log')).toHaveTextContent('Hello tanvir, about our deal');
    expect(bodies).toEqual([{ receiverId: 'u-tanvir', dealId: 'd-1' }]);
  });

  it('is one wish, however often it is sent until it is answered', async () => {
    const sentKeys: (string | null)[] = [];
    server.use(
      http.post('*/api/messages/send-or-start', ({ request }) => {
        sentKeys.push(request.headers.get('Idempotency-Key'));
        if (sentKeys.length === 1) return HttpResponse.error();
        return HttpResponse.json({ conversation: aConversation(), message: null, created: false }, { status: 201 });
      }),
    );
    const { user } = await openDeal(nusrat, aDetail(ACTIVE));
    await user.click(screen.getByRole('button', { name: 'Message tanvir' }));
    await waitFor(() => expect(notices).toHaveLength(1));
    await user.click(screen.getByRole('button', { name: 'Message tanvir' }));
    await screen.findByRole('log');
    expect(sentKeys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(sentKeys[1]).toBe(sentKeys[0]);
  });

  it('finds the one there is', async () => {
    server.use(
      http.post('*/api/messages/send-or-start', () =>
        HttpResponse.json({ conversation: aConversation(), message: null, created: false }, { status: 201 }),
      ),
    );
    const { user } = await openDeal(nusrat, aDetail(ACTIVE));
    await user.click(screen.getByRole('button', { name: 'Message tanvir' }));
    expect(await screen.findByRole('log')).toHaveTextContent('Is it still there?');
  });

  it.each([
    ['without a word', '', 'Failed to start chat'],
    ['with one', 'You cannot message yourself.', 'You cannot message yourself.'],
  ])('that failed %s says so', async (_how, message, text) => {
    server.use(http.post('*/api/messages/send-or-start', () => HttpResponse.json({ message, code: 'invalid' }, { status: 400 })));
    const { user } = await openDeal(nusrat, aDetail(ACTIVE));
    await user.click(screen.getByRole('button', { name: 'Message tanvir' }));
    await waitFor(() => expect(notices.map((notice) => [notice.kind, notice.text])).toEqual([['error', text]]));
    expect(screen.getByRole('button', { name: 'Message tanvir' })).toBeEnabled();
  });
});
