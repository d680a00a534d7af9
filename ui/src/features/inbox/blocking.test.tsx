import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyBlock, chatKeys } from '@/entities/chat/cache';
import { aConversation, aMessage, chatServer, minute, openThread, serveChat, TANVIR } from '@/testing/chat';
import { isWide } from '@/testing/deals';
import { deferred } from '@/testing/deferred';
import { blockedAnswer, onCall, unblockedAnswer } from '@/testing/moderation';
import { queryClient } from '@/testing/query-client';
import { renderAt } from '@/testing/render';
import { nusrat, server } from '@/testing/server';

beforeEach(() => {
  serveChat();
  isWide(true);
});

/** Sets the block on the server and sends its event. */
function blockIs(block: 'none' | 'mine' | 'theirs') {
  chatServer.conversations = [aConversation({ block, writable: block === 'none' })];
  act(() => applyBlock(queryClient, { userId: TANVIR._id, block }, nusrat._id));
}

describe('a conversation with somebody one has blocked', () => {
  beforeEach(() => {
    chatServer.conversations = [aConversation({ block: 'mine', writable: false })];
  });

  it('has the way back in the place of the composer', async () => {
    const calls = onCall('delete', '/users/u-tanvir/block', () => {
      chatServer.conversations = [aConversation()];
      return unblockedAnswer();
    });
    const { user } = renderAt('/inbox/c-1');
    expect(await screen.findByText('You blocked tanvir.')).toBeVisible();
    expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Unblock tanvir' }));
    const field = await screen.findByRole('textbox', { name: 'Message' });
    await waitFor(() => expect(field).toHaveFocus());
    expect(calls).toHaveLength(1);
  });

  it('stays as it is after the way back until the server has said whether it can be written to', async () => {
    onCall('delete', '/users/u-tanvir/block', unblockedAnswer);
    const { user } = renderAt('/inbox/c-1');
    const unblock = await screen.findByRole('button', { name: 'Unblock tanvir' });
    const [asked, answered] = [deferred(), deferred()];
    server.use(
      http.get('*/api/messages/conversations/c-1', async () => {
        asked.resolve();
        await answered.promise;
        return HttpResponse.json(aConversation());
      }),
    );
    await user.click(unblock);
    await asked.promise;
    expect(queryClient.getQueryData(chatKeys.one('c-1'))).toMatchObject({ block: 'mine', writable: false });
    expect(screen.getByText('You blocked tanvir.')).toBeVisible();
    expect(screen.queryByText(/^This account is disabled\./)).toBeNull();
    answered.resolve();
    expect(await screen.findByRole('textbox', { name: 'Message' })).toBeVisible();
  });

  it('by whom one is blocked, too, gives the focus to the page', async () => {
    onCall('delete', '/users/u-tanvir/block', () => {
      chatServer.conversations = [aConversation({ block: 'theirs', writable: false })];
      return unblockedAnswer();
    });
    const { user } = renderAt('/inbox/c-1');
    await user.click(await screen.findByRole('button', { name: 'Unblock tanvir' }));
    expect(await screen.findByText('You cannot send messages to this user.')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
  });
});

describe('an unblock whose conversation cannot be asked for again', () => {
  it('never says that the account is disabled', async () => {
    chatServer.conversations = [aConversation({ block: 'mine', writable: false })];
    renderAt('/inbox/c-1');
    expect(await screen.findByText('You blocked tanvir.')).toBeVisible();
    const refused = () => HttpResponse.json({ code: 'conflict', message: '' }, { status: 409 });
    let asked = 0;
    server.use(
      http.get('*/api/messages/conversations/c-1', () => {
        asked += 1;
        return refused();
      }),
      http.get('*/api/messages/conversations', refused),
    );
    act(() => applyBlock(queryClient, { userId: TANVIR._id, block: 'none' }, nusrat._id));
    expect(screen.queryByText(/disabled/)).toBeNull();
    await waitFor(() => expect(asked).toBe(1));
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(screen.queryByText(/disabled/)).toBeNull();
    expect(screen.getByRole('button', { name: 'Unblock tanvir' })).toBeVisible();
  });
});

describe('a block by the other', () => {
  it('takes the composer away as it happens, and gives it back with what was typed', async () => {
    const { user, field } = await openThread();
    await user.type(field, 'Half a sen');
    blockIs('theirs');
    expect(await screen.findByText('You cannot send messages to this user.')).toBeVisible();
    expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull();
    blockIs('none');
    expect(await screen.findByRole('textbox', { name: 'Message' })).toHaveValue('Half a sen');
  });
});

describe('the menu in the head of a conversation', () => {
  it('blocks after saying what that does', async () => {
    const calls = onCall('post', '/users/u-tanvir/block', () => {
      chatServer.conversations = [aConversation({ block: 'mine', writable: false })];
      return blockedAnswer();
    });
    const { user } = await openThread();
    await user.click(screen.getByRole('button', { name: 'More actions for tanvir' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Block tanvir' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Block tanvir?' }));
    expect(question.getByText('Deals you already have together go on.')).toBeVisible();
    expect(calls).toEqual([]);
    await user.click(question.getByRole('button', { name: 'Block' }));
    expect(await screen.findByText('Neither of you can send messages. Deals you have together go on.')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  });

  it('has the focus again when what was chosen in it is closed', async () => {
    const { user } = await openThread();
    const more = () => screen.getByRole('button', { name: 'More actions for tanvir' });
    await user.click(more());
    await user.click(await screen.findByRole('menuitem', { name: 'Block tanvir' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Block tanvir?' }));
    await user.click(question.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(more()).toHaveFocus());
    await user.keyboard('{Enter}');
    await user.click(await screen.findByRole('menuitem', { name: 'Report tanvir' }));
    await screen.findByRole('dialog', { name: 'Report tanvir' });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(more()).toHaveFocus());
  });
});

describe('the menu of a message', () => {
  beforeEach(() => {
    chatServer.messages = [
      aMessage({ _id: 'm-1', text: 'First' }),
      aMessage({ _id: 'm-2', text: 'Mine', senderId: nusrat._id, createdAt: minute(1) }),
      aMessage({ _id: 'm-3', text: 'Last', createdAt: minute(2) }),
    ];
  });

  it('is there for messages of the other, one stop of the Tab key, the arrow keys lead on', async () => {
    const { user } = await openThread();
    const menus = screen.getAllByRole('button', { name: /^More actions for the message by tanvir/ });
    expect(menus.map(({ tabIndex }) => tabIndex)).toEqual([-1, 0]);
    act(() => menus[1]?.focus());
    await user.keyboard('{ArrowUp}');
    expect(menus[0]).toHaveFocus();
    await user.keyboard('{ArrowRight}');
    expect(menus[1]).toHaveFocus();
  });

  it('reports the message', async () => {
    const { user } = await openThread();
    const [first] = screen.getAllByRole('button', { name: /^More actions for the message by tanvir/ });
    if (first) await user.click(first);
    await user.click(await screen.findByRole('menuitem', { name: 'Report this message' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Report this message' }));
    expect(dialog.getByText('Amanat’s staff see this message and some of those around it.')).toBeVisible();
    expect(dialog.getByLabelText(/^Wants to be paid outside Amanat/)).toBeVisible();
    await user.keyboard('{Escape}');
    await waitFor(() =>
      expect(screen.getAllByRole('button', { name: /^More actions for the message by tanvir/ })[0]).toHaveFocus(),
    );
  });
});

const GONE = { ...TANVIR, username: 'deleted-4f7k2m9q', closed: true };
const [me] = aConversation().participants.filter(({ _id }) => _id === nusrat._id);

describe('a conversation with somebody who has closed the account', () => {
  beforeEach(() => {
    if (!me) throw new Error('Nusrat is in her conversation');
    chatServer.conversations = [aConversation({ participants: [me, GONE], writable: false, lastMessage: '' })];
    chatServer.messages = [
      aMessage({ _id: 'm-1', text: 'Yes, it is.', senderId: nusrat._id }),
      aMessage({ _id: 'm-2', text: '', senderName: GONE.username, erased: true }),
    ];
  });

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
