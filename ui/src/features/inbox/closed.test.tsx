import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { aConversation, aMessage, chatServer, serveChat, TANVIR } from '@/testing/chat';
import { isWide } from '@/testing/deals';
import { renderAt } from '@/testing/render';
import { nusrat } from '@/testing/server';

const GONE = { ...TANVIR, username: 'deleted-4f7k2m9q', closed: true };
const [me] = aConversation().participants.filter(({ _id }) => _id === nusrat._id);

beforeEach(() => {
  serveChat();
  isWide(true);
  if (!me) throw new Error('Nusrat is in her conversation');
  chatServer.conversations = [aConversation({ participants: [me, GONE], writable: false, lastMessage: '' })];
  chatServer.messages = [
    aMessage({ _id: 'm-1', text: 'Yes, it is.', senderId: nusrat._id }),
    aMessage({ _id: 'm-2', text: '', senderName: GONE.username, erased: true }),
  ];
});

describe('a conversation with somebody who has closed the account', () => {
  it('says that it is closed, without a way to a profile or to writing', async () => {
    renderAt('/inbox/c-1');
    const log = await screen.findByRole('log', { name: 'Messages' });
    const thread = within(screen.getByRole('region', { name: /deleted-4f7k2m9q/ }));
    expect(thread.getByText('Closed account')).toBeVisible();
    expect(thread.queryByRole('link', { name: /deleted-4f7k2m9q/ })).toBeNull();
    expect(await thread.findByText(/^This account is closed\. You can read your messages/)).toBeVisible();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(within(log).getByText('Yes, it is.')).toBeVisible();
    expect(within(log).getByText('This message was deleted.')).toBeVisible();
  });

  it('is told in the list by its last message, which was deleted', async () => {
    renderAt('/inbox');
    const row = within(await screen.findByRole('navigation', { name: 'Conversations' }));
    expect(await row.findByText(/This message was deleted\./)).toBeVisible();
    expect(row.getByTitle('Closed account')).toHaveTextContent('deleted-4f7k2m9q');
  });
});
