import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DirectMessage } from '@/api/contract';
import { aUser, recordOf } from '@/testing/admin';
import { queryClient } from '@/testing/query-client';
import { renderAt } from '@/testing/render';
import { server } from '@/testing/server';
import { onPost, queues, refusal } from '../fixtures';

const NUSRAT = '0198a000-0000-7000-8000-000000000001';
const TANVIR = '0198a000-0000-7000-8000-000000000002';
const BOTH = `/admin/chat?one=${NUSRAT}&other=${TANVIR}`;
const people = [
  aUser({ _id: NUSRAT, username: 'nusrat', email: 'nusrat@example.com' }),
  aUser({ _id: TANVIR, username: 'tanvir', email: 'tanvir@example.com' }),
];

function aMessage(over: Partial<DirectMessage> & { _id: string }): DirectMessage {
  return {
    conversationId: 'c-1',
    senderId: NUSRAT,
    senderName: 'nusrat',
    receiverId: TANVIR,
    text: '',
    image: '',
    isRead: true,
    readBy: [NUSRAT],
    createdAt: '2026-11-08T04:02:00Z',
    ...over,
  };
}
const fromTanvir = { senderId: TANVIR, senderName: 'tanvir', receiverId: NUSRAT };

/** Serves pages by their `before`, and records each request. */
function conversation(pages: Record<string, { messages: DirectMessage[]; nextBefore: string | null }>) {
  const looks: string[] = [];
  server.use(
    http.get('*/api/admin/messages/by-users/:one/:other', ({ request, params }) => {
      const before = new URL(request.url).searchParams.get('before') ?? '';
      looks.push(`${String(params.one)} ${String(params.other)} ${before}`);
      return HttpResponse.json(pages[before]);
    }),
  );
  return looks;
}

beforeEach(() => {
  queues();
  server.use(
    http.get('*/api/admin/users/search', ({ request }) => {
      const query = new URL(request.url).searchParams.get('query') ?? '';
      return HttpResponse.json(people.filter(({ username }) => username.includes(query)));
    }),
    http.get('*/api/admin/users/:id', ({ params }) => {
      const found = people.find(({ _id }) => _id === params.id);
      return found ? HttpResponse.json(recordOf(found)) : refusal(404, 'not_found', 'User not found')();
    }),
  );
});

describe('choosing two users', () => {
  it('is by a part of the name, stands in the address, and fetches nothing before the admin says so', async () => {
    const looks = conversation({ '': { messages: [], nextBefore: null } });
    const { user, router } = renderAt('/admin/chat');
    expect(await screen.findByText(/^Other people’s messages are private\. Each access is logged/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Show messages' })).toBeDisabled();
    await user.type(screen.getByRole('combobox', { name: 'One user' }), 'nus');
    await user.click(await screen.findByRole('option', { name: /nusrat/ }));
    await user.type(screen.getByRole('combobox', { name: 'The other user' }), 'tan');
    await user.click(await screen.findByRole('option', { name: /tanvir/ }));
    await waitFor(() => expect(router.state.location.search).toEqual({ one: NUSRAT, other: TANVIR }));
    expect(looks).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Show messages' }));
    expect(await screen.findByText('No messages found')).toBeVisible();
    expect(looks).toEqual([`${NUSRAT} ${TANVIR} `]);
  });

  it('is one look, even when events were missed', async () => {
    const looks = conversation({ '': { messages: [], nextBefore: null } });
    const { user } = renderAt(BOTH);
    await user.click(await screen.findByRole('button', { name: 'Show messages' }));
    expect(await screen.findByText('No messages found')).toBeVisible();
    await act(() => queryClient.invalidateQueries());
    expect(looks).toHaveLength(1);
  });

  it('refuses the same one twice', async () => {
    renderAt(`/admin/chat?one=${NUSRAT}&other=${NUSRAT}`);
    expect(await screen.findByText('Choose two different users.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Show messages' })).toBeDisabled();
  });

  it('anew asks again before it shows anything', async () => {
    const looks = conversation({ '': { messages: [aMessage({ _id: 'm-1', text: 'Salam' })], nextBefore: null } });
    const { user } = renderAt(BOTH);
    await user.click(await screen.findByRole('button', { name: 'Show messages' }));
    expect(await screen.findByText('Salam')).toBeVisible();
    await user.type(screen.getByRole('combobox', { name: 'One user' }), 'x');
    expect(screen.queryByText('Salam')).toBeNull();
    expect(looks).toHaveLength(1);
  });
});

describe('the messages', () => {
  it('stand in their order, with a line before each day, text and images', async () => {
    conversation({
      '': {
        messages: [
          aMessage({ _id: 'm-1', text: 'Salam' }),
          aMessage({ _id: 'm-2', text: 'Still there?', createdAt: '2026-11-08T04:03:00Z' }),
          aMessage({ _id: 'm-3', ...fromTanvir, image: '/api/images/i-1', isRead: false, createdAt: '2026-11-08T19:00:00Z' }),
        ],
        nextBefore: null,
      },
    });
    const { user } = renderAt(BOTH);
    await user.click(await screen.findByRole('button', { name: 'Show messages' }));
    const log = within(await screen.findByRole('region', { name: 'Messages between nusrat and tanvir' }));
    expect(log.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Sunday 8 November',
      'nusratSalam10:02, read',
      'nusratStill there?10:03, read',
      'Monday 9 November',
      'tanvir01:00, not read',
    ]);
    expect(log.getByRole('img', { name: 'Image from tanvir' })).toHaveAttribute('src', '/api/images/i-1?w=640');
    expect(log.getByText('The conversation begins here.')).toBeVisible();
  });

  it('say with which step of a deal they were written, and show its pictures', async () => {
    const pictures = [{ _id: 'i-1', url: '/api/images/i-1', width: 1600, height: 1200 }];
    const deal = { _id: 'd-1', title: 'Ranna Ghor 24', act: 'delivered' as const, pictures };
    conversation({ '': { messages: [aMessage({ _id: 'm-1', text: 'All done', ...fromTanvir, deal })], nextBefore: null } });
    const { user } = renderAt(BOTH);
    await user.click(await screen.findByRole('button', { name: 'Show messages' }));
    const link = await screen.findByRole('link', { name: 'Delivered: Ranna Ghor 24' });
    expect(link).toHaveAttribute('href', '/admin/deals?dealId=d-1&review=d-1');
    expect(screen.getByText('All done')).toBeVisible();
    expect(screen.getByRole('img', { name: 'Picture 1 of 1 from tanvir' })).toHaveAttribute('src', '/api/images/i-1?w=320');
  });

  it('come in pages, older ones above, each a look of its own', async () => {
    const looks = conversation({
      '': { messages: [aMessage({ _id: 'm-2', text: 'Second' })], nextBefore: 'm-2' },
      'm-2': { messages: [aMessage({ _id: 'm-1', text: 'First' })], nextBefore: null },
    });
    const { user } = renderAt(BOTH);
    await user.click(await screen.findByRole('button', { name: 'Show messages' }));
    await user.click(await screen.findByRole('button', { name: 'Show older messages' }));
    await screen.findByText('First');
    expect(screen.getAllByText(/^(First|Second)$/).map(({ textContent }) => textContent)).toEqual(['First', 'Second']);
    expect(looks).toEqual([`${NUSRAT} ${TANVIR} `, `${NUSRAT} ${TANVIR} m-2`]);
  });

  it('are shown to an admin who has entered the password lately', async () => {
    const looks = conversation({ '': { messages: [aMessage({ _id: 'm-1', text: 'Salam' })], nextBefore: null } });
    const required = refusal(403, 'password_required', 'Please enter your password again.');
    server.use(http.get('*/api/admin/messages/by-users/:one/:other', required, { once: true }));
    onPost('/auth/confirm-password', () => HttpResponse.json({ message: 'Password confirmed.' }));
    const { user } = renderAt(BOTH);
    await user.click(await screen.findByRole('button', { name: 'Show messages' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Enter your password again' }));
    await user.type(dialog.getByLabelText('Password'), 'right{Enter}');
    expect(await screen.findByText('Salam')).toBeVisible();
    expect(looks).toHaveLength(1);
  });

  it('say so when they cannot be loaded, and are asked for again', async () => {
    server.use(http.get('*/api/admin/messages/by-users/:one/:other', refusal(409, 'conflict', '')));
    const { user } = renderAt(BOTH);
    await user.click(await screen.findByRole('button', { name: 'Show messages' }));
    expect(await screen.findByText('Message load failed')).toBeVisible();
    conversation({ '': { messages: [aMessage({ _id: 'm-1', text: 'Salam' })], nextBefore: null } });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Salam')).toBeVisible();
  });
});
