import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DirectMessage } from '@/api/contract';
import { setLanguage } from '@/i18n';
import { aConversation, aMessage, chatServer, openThread, serveChat } from '@/testing/chat';
import { isWide } from '@/testing/deals';
import { nusrat } from '@/testing/server';

const pictures = ['i-1', 'i-2'].map((_id) => ({ _id, url: `/api/images/${_id}`, width: 1600, height: 1200 }));
const of = (act: NonNullable<DirectMessage['deal']>['act'], over = {}): Pick<DirectMessage, 'deal'> => ({
  deal: { _id: 'd-1', title: 'Ranna Ghor 24', act, pictures: [], ...over },
});

beforeEach(() => {
  serveChat();
  isWide(true);
});

describe('what came with a step of a deal', () => {
  it('leads to the deal and has the words, on both sides', async () => {
    chatServer.messages = [
      aMessage({ _id: 'm-1', text: 'It is all in your inbox.', ...of('delivered', { pictures }) }),
      aMessage({ _id: 'm-2', text: 'The logo is missing.', senderId: nusrat._id, ...of('changes') }),
      aMessage({ _id: 'm-3', text: 'I need two days more.', ...of('counteroffer') }),
    ];
    const { log } = await openThread();
    for (const [name, words] of [
      ['Delivered: Ranna Ghor 24', 'It is all in your inbox.'],
      ['Changes requested: Ranna Ghor 24', 'The logo is missing.'],
      ['Counter-offer: Ranna Ghor 24', 'I need two days more.'],
    ] as const) {
      const link = within(log).getByRole('link', { name });
      expect(link).toHaveAttribute('href', '/deal/d-1');
      expect(link.parentElement).toHaveTextContent(words);
    }
    await act(() => setLanguage('bn'));
    expect(await within(log).findByRole('link', { name: 'সংশোধন চাওয়া হয়েছে: Ranna Ghor 24' })).toBeVisible();
  });

  it('has its pictures, which one goes through with the others of the thread', async () => {
    chatServer.messages = [
      aMessage({ _id: 'm-1', text: '', image: '/api/images/i-0' }),
      aMessage({ _id: 'm-2', text: '', ...of('delivered', { pictures }) }),
    ];
    const { log, user } = await openThread();
    await user.click(within(log).getByRole('button', { name: 'Picture 2 of 2 from tanvir' }));
    const viewer = within(await screen.findByRole('dialog', { name: 'Picture 2 of 2 from tanvir' }));
    expect(viewer.getByText('3 of 3')).toBeVisible();
    await user.keyboard('{ArrowLeft}');
    expect(viewer.getByRole('img')).toHaveAttribute('src', '/api/images/i-1');
    await user.keyboard('{ArrowLeft}');
    expect(viewer.getByRole('img')).toHaveAttribute('src', '/api/images/i-0');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('without words is a sentence in the reader’s language in the list', async () => {
    chatServer.conversations = [aConversation({ lastMessage: 'Delivered the deal', lastMessageIsDelivery: true })];
    await openThread();
    expect(await screen.findByText(/^tanvir: Delivered the deal/)).toBeVisible();
    await act(() => setLanguage('bn'));
    expect(await screen.findByText(/ডিলের ডেলিভারি দেওয়া হয়েছে/)).toBeVisible();
  });
});
