import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { DirectMessage } from '@/api/contract';
import { applyMessageRead } from '@/entities/chat/apply-events';
import { setLanguage } from '@/i18n';
import { noteTyping } from '@/lib/realtime/live';
import { aConversation, aMessage, chatServer, manyMessages, minute, openThread, serveChat, tanvirWrites } from '@/testing/chat';
import { isWide } from '@/testing/deals';
import { queryClient } from '@/testing/query-client';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server } from '@/testing/server';

beforeEach(() => {
  serveChat();
  isWide(true);
});

/**
 * Gives the log a height of 500 px with 1,000 px of content, and makes rows move on scrolling,
 * since jsdom has no layout.
 */
function measure(log: HTMLElement, scrollHeight = 1_000) {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    return { top: this === log ? 0 : -log.scrollTop } as DOMRect;
  });
  Object.defineProperty(log, 'clientHeight', { configurable: true, value: 500 });
  Object.defineProperty(log, 'scrollHeight', { configurable: true, value: scrollHeight });
}

function scrollTo(log: HTMLElement, top: number) {
  log.scrollTop = top;
  fireEvent.scroll(log);
}

describe('a thread', () => {
  it('shows its messages by days, with times, and the ticks of one’s own', async () => {
    chatServer.messages = [
      aMessage({ _id: 'm-1', createdAt: minute(-24 * 60) }),
      aMessage({ _id: 'm-2', text: 'Yes', senderId: nusrat._id, isRead: true }),
      aMessage({ _id: 'm-3', text: 'Come and see', senderId: nusrat._id, createdAt: minute(20) }),
    ];
    const { log } = await openThread();
    expect(within(log).getByText('Thursday 19 November')).toBeVisible();
    expect(within(log).getByText('Friday 20 November')).toBeVisible();
    expect(within(log).getByText('tanvir at 11:00')).toBeInTheDocument();
    expect(within(log).getByText('Read')).toBeVisible();
    expect(within(log).getByText('Sent')).toBeVisible();
    act(() => applyMessageRead(queryClient, { conversationId: 'c-1', readerId: 'u-tanvir', upTo: 'm-3' }, nusrat._id));
    await waitFor(() => expect(within(log).getAllByText('Read')).toHaveLength(2));
    expect(within(log).getByText('This is where your conversation with tanvir begins.')).toBeVisible();
  });

  it('is marked as read when it is opened, once, and what comes while it is open, too', async () => {
    chatServer.conversations = [aConversation({ unread: true })];
    const { log } = await openThread();
    await waitFor(() => expect(chatServer.read).toEqual(['c-1']));
    act(() => void tanvirWrites('Still there?'));
    expect(await within(log).findByText('Still there?')).toBeVisible();
    await waitFor(() => expect(chatServer.read).toEqual(['c-1', 'c-1']));
    expect(screen.queryByRole('img', { name: 'unread' })).toBeNull();
  });

  it('whose page could not be had says so, and is had with Retry', async () => {
    let fails = true;
    server.use(http.get('*/api/messages/c-1', () => (fails ? new HttpResponse(null, { status: 400 }) : undefined)));
    const { user } = renderAt('/inbox/c-1');
    expect(await screen.findByText('Message fetch failed')).toBeVisible();
    fails = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('log')).toHaveTextContent('Is it still there?');
  });

  it('of somebody else leads to the inbox', async () => {
    const { router } = renderAt('/inbox/c-7');
    await waitFor(() => expect(router.state.location.pathname).toBe('/inbox'));
    expect(notices.map(({ text }) => text)).toEqual(['Conversation not found.']);
  });

  it('shows that the other types', async () => {
    const { log } = await openThread();
    act(() => noteTyping('c-1'));
    expect(within(log).getByRole('img', { name: 'tanvir is typing' })).toBeVisible();
    const conversations = await screen.findByRole('navigation', { name: 'Conversations' });
    await waitFor(() => expect(conversations).toHaveTextContent('tanvir: typing…'));
    act(() => void tanvirWrites('Here it is'));
    expect(within(log).queryByRole('img', { name: 'tanvir is typing' })).toBeNull();
  });
});

describe('scrolling', () => {
  it('follows new messages within 50 px of the end', async () => {
    const { log } = await openThread();
    measure(log);
    scrollTo(log, 450);
    measure(log, 1_100);
    act(() => void tanvirWrites('Follow'));
    await waitFor(() => expect(log.scrollTop).toBe(1_100));
    expect(screen.queryByRole('button', { name: /new message/ })).toBeNull();
  });

  it('counts a message that comes before the event of the scroll', async () => {
    const { log } = await openThread();
    measure(log);
    scrollTo(log, 500);
    log.scrollTop = 449;
    act(() => void tanvirWrites('One'));
    expect(await screen.findByRole('button', { name: '1 new message' })).toBeVisible();
    expect(log.scrollTop).toBe(449);
    fireEvent.scroll(log);
    expect(screen.getByRole('button', { name: '1 new message' })).toBeVisible();
  });

  it('stays where it is beyond that, and counts what came', async () => {
    const { user, log } = await openThread();
    measure(log);
    scrollTo(log, 500);
    scrollTo(log, 449);
    expect(screen.getByRole('button', { name: 'Jump to latest' })).toBeVisible();
    act(() => void tanvirWrites('One'));
    act(() => void tanvirWrites('Two'));
    const jump = await screen.findByRole('button', { name: '2 new messages' });
    expect(log.scrollTop).toBe(449);
    await user.click(jump);
    expect(log.scrollTop).toBe(1_000);
    expect(screen.queryByRole('button', { name: /new message/ })).toBeNull();
  });

  it('stays at the end when the view shrinks, though the browser tells of scrolling first', async () => {
    const { log } = await openThread();
    measure(log);
    scrollTo(log, 500);
    Object.defineProperty(log, 'clientHeight', { configurable: true, value: 400 });
    fireEvent.scroll(log);
    expect(log.scrollTop).toBe(1_000);
    expect(screen.queryByRole('button', { name: 'Jump to latest' })).toBeNull();
  });

  it('goes to the end with what one sends oneself', async () => {
    const { user, log, field } = await openThread();
    measure(log);
    scrollTo(log, 100);
    await user.type(field, 'Me{Enter}');
    expect(log.scrollTop).toBe(1_000);
    await waitFor(() => expect(chatServer.sent).toHaveLength(1));
  });

  it('to the beginning loads older messages, moving nothing', async () => {
    chatServer.messages = manyMessages(65);
    const held: (() => void)[] = [];
    server.use(
      http.get('*/api/messages/c-1', async ({ request }) => {
        if (request.url.includes('before=')) await new Promise<void>((resume) => held.push(resume));
        return undefined;
      }),
    );
    // In jsdom the log is scrolled to the top, so it requests older messages at once.
    const { log } = await openThread();
    await waitFor(() => expect(held).toHaveLength(1));
    const first = (await within(log).findByText('Message 36')).closest('[data-row]')?.lastElementChild;
    measure(log, 2_000);
    scrollTo(log, 1_500);
    scrollTo(log, 100);
    // The 30 older messages are 1,540 px high.
    const top = () => ({ top: 1_540 - log.scrollTop }) as DOMRect;
    if (first) first.getBoundingClientRect = top;
    held[0]?.();
    expect(await within(log).findByText('Message 6')).toBeVisible();
    expect(log.scrollTop).toBe(1_640);
    expect(log.querySelectorAll('[data-row]')).toHaveLength(60);
  });

  it('to the beginning says when older messages could not be had, and asks again only with Retry', async () => {
    chatServer.messages = manyMessages(35);
    let asked = 0;
    server.use(
      http.get('*/api/messages/c-1', ({ request }) => {
        if (!request.url.includes('before=')) return undefined;
        asked += 1;
        return asked === 1 ? new HttpResponse(null, { status: 400 }) : undefined;
      }),
    );
    const { user, log } = await openThread();
    expect(await within(log).findByText('Message load failed')).toBeVisible();
    scrollTo(log, 0);
    expect(asked).toBe(1);
    await user.click(within(log).getByRole('button', { name: 'Retry' }));
    expect(await within(log).findByText('Message 1')).toBeVisible();
  });
});

const pictures = ['i-1', 'i-2'].map((_id) => ({ _id, url: `/api/images/${_id}`, width: 1600, height: 1200 }));

const of = (act: NonNullable<DirectMessage['deal']>['act'], over = {}): Pick<DirectMessage, 'deal'> => ({
  deal: { _id: 'd-1', title: 'Ranna Ghor 24', act, pictures: [], ...over },
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
