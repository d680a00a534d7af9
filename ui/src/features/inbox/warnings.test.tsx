import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { setLanguage } from '@/i18n';
import { claimStorage, clearStorage } from '@/lib/storage-owner';
import { aConversation, aMessage, chatServer, openThread, serveChat, TANVIR, tanvirWrites } from '@/testing/chat';
import { pageOf } from '@/testing/deal-lists';
import { isWide } from '@/testing/deals';
import { queryClient } from '@/testing/query-client';
import { aDeal, nusrat, server } from '@/testing/server';

const FIRST = 'Amanat never asks for a PIN, password, code or payment in a chat. Pay only through a deal here.';
const PHONE = 'Contains a phone number.';

beforeEach(() => {
  serveChat();
  isWide(true);
});

describe('a first conversation', () => {
  it('says what Amanat never asks for, until both have written', async () => {
    chatServer.conversations = [aConversation({ answered: false })];
    await openThread();
    expect(screen.getByText(FIRST)).toBeVisible();
    act(() => void tanvirWrites('Still there?', { answered: true }));
    await waitFor(() => expect(screen.queryByText(FIRST)).toBeNull());
    expect(screen.getByText(/^Pay only through an Amanat deal\./)).toBeVisible();
  });

  it('that is none any more does not', async () => {
    await openThread();
    expect(screen.queryByText(FIRST)).toBeNull();
  });
});

describe('a message received', () => {
  const notes = (log: HTMLElement) => within(log).queryAllByRole('note');

  it('is warned of what it contains, one’s own is not', async () => {
    chatServer.messages = [
      aMessage({ _id: 'm-1', text: 'Call 01712-345678' }),
      aMessage({ _id: 'm-2', text: 'https://bkash.com/pay' }),
      aMessage({ _id: 'm-3', text: 'Send money first' }),
      aMessage({ _id: 'm-4', text: 'Is it still there?' }),
      aMessage({ _id: 'm-5', text: 'Mine is 01812345678', senderId: nusrat._id }),
    ];
    const { log } = await openThread();
    await waitFor(() => expect(notes(log)).toHaveLength(3));
    expect(notes(log).map(({ textContent }) => textContent)).toEqual(
      ['Contains a phone number.', 'Links to a payment service.', 'May be about paying outside Amanat.'].map(
        (what) => `${what} Only payments in a deal here are protected.`,
      ),
    );
  });

  it('is warned of numbers where the words cannot be had', async () => {
    server.use(
      http.get('*/api/public/chat-warnings', () => HttpResponse.json({ code: 'internal', message: '' }, { status: 500 })),
    );
    chatServer.messages = [aMessage({ text: '০১৭১২৩৪৫৬৭৮' })];
    const { log } = await openThread();
    expect(await within(log).findByText(PHONE)).toBeVisible();
  });

  it('is warned of in the reader’s language', async () => {
    chatServer.messages = [aMessage({ text: 'Send money first' })];
    const { log } = await openThread();
    await act(() => setLanguage('bn'));
    expect(await within(log).findByText(/আমানতের বাইরে টাকা দেওয়া/)).toBeVisible();
    await act(() => setLanguage('en'));
  });

  it('stays without the warning that was hidden, until the log-out', async () => {
    chatServer.messages = [aMessage({ text: 'Call 01712-345678' }), aMessage({ _id: 'm-2', text: 'or 01812-345678' })];
    const { log, user } = await openThread();
    const [first] = await within(log).findAllByRole('button', { name: 'Hide this warning' });
    if (first) await user.click(first);
    expect(within(log).getAllByText(PHONE)).toHaveLength(1);
    expect(JSON.parse(localStorage.getItem('chat-warnings') ?? '')).toEqual({ owner: nusrat._id, messages: ['m-1'] });
    claimStorage(nusrat._id);
    expect(localStorage.getItem('chat-warnings')).not.toBeNull();
    clearStorage();
    expect(localStorage.getItem('chat-warnings')).toBeNull();
  });

  it('is warned of again for another user of the browser', async () => {
    localStorage.setItem('chat-warnings', JSON.stringify({ owner: 'u-other', messages: ['m-1'] }));
    chatServer.messages = [aMessage({ text: 'Call 01712-345678' })];
    const { log } = await openThread();
    expect(await within(log).findByText(PHONE)).toBeVisible();
    expect(localStorage.getItem('chat-warnings')).toBeNull();
  });
});

describe('a message that is about to be sent', () => {
  const texts = () => chatServer.sent.map(({ text }) => text);
  const SENDING = /^Contains a phone number\. Only payments/;
  const note = () => screen.queryByText(SENDING);

  /** What is typed before the words to warn of are loaded is not warned of. */
  async function openWithWords() {
    const thread = await openThread();
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    return thread;
  }

  it('is warned of before it leaves, keeps its text, and is sent with one tap', async () => {
    const { user, field } = await openWithWords();
    await user.type(field, 'Call 01712-345678{Enter}');
    expect(await screen.findByText(SENDING)).toBeVisible();
    expect(field).toHaveValue('Call 01712-345678');
    expect(texts()).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Send anyway' }));
    await waitFor(() => expect(texts()).toEqual(['Call 01712-345678']));
    expect(note()).toBeNull();
  });

  it('is not warned of for amounts, or once it is changed', async () => {
    const { user, field } = await openWithWords();
    await user.type(field, 'Call 01712345678{Enter}');
    await screen.findByText(SENDING);
    await user.clear(field);
    await user.type(field, '15,990 taka for 3 pieces?');
    expect(note()).toBeNull();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(texts()).toEqual(['15,990 taka for 3 pieces?']));
  });

  it('is not warned of while the two have a deal', async () => {
    server.use(http.get('*/api/deals/between/:one/:other', () => pageOf([aDeal()], new URL('http://localhost/'))));
    const { user, field } = await openWithWords();
    expect(await screen.findByRole('link', { name: /^Your deal with tanvir/ })).toBeVisible();
    await user.type(field, 'Call 01712345678{Enter}');
    await waitFor(() => expect(texts()).toEqual(['Call 01712345678']));
  });
});

it('staff carry their mark in the list and over the messages', async () => {
  const staff = { ...TANVIR, isStaff: true };
  const [, ...others] = aConversation().participants;
  expect(others).toHaveLength(1);
  chatServer.conversations = [aConversation({ participants: [aConversation().participants[0] ?? staff, staff] })];
  await openThread();
  expect(await screen.findAllByRole('img', { name: 'Amanat staff' })).toHaveLength(2);
});
