import { onlineManager } from '@tanstack/react-query';
// oxlint-disable-next-line testing-library/no-manual-cleanup -- a page that is closed in the middle of a test
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EMPTY_DRAFT, setChatDraft } from '@/entities/chat/drafts';
import { resetOutbox } from '@/entities/chat/outbox';
import { chatServer, openThread, serveChat, written } from '@/testing/chat';
import { isWide } from '@/testing/deals';
import { renewQueryClient } from '@/testing/query-client';
import { nusrat, server } from '@/testing/server';

beforeEach(() => {
  serveChat();
  isWide(true);
});
afterEach(() => onlineManager.setOnline(true));

const texts = () => chatServer.sent.map(({ text }) => text);
const keys = () => chatServer.sent.map(({ key }) => key);
const unreachable = () =>
  server.use(http.post('*/api/messages', () => HttpResponse.json({ message: '', code: 'conflict' }, { status: 409 })));

/** A reload keeps the tab's storage and clears memory. */
async function reload() {
  cleanup();
  renewQueryClient();
  resetOutbox();
  onlineManager.setOnline(true);
  setChatDraft(nusrat._id, 'c-1', EMPTY_DRAFT);
  return openThread();
}

/** Sends without success, then reloads the page. */
async function failed(text: string) {
  const asked: (string | null)[] = [];
  server.use(
    http.post('*/api/messages', ({ request }) => {
      asked.push(request.headers.get('Idempotency-Key'));
      return HttpResponse.json({ message: '', code: 'conflict' }, { status: 409 });
    }),
  );
  const before = await openThread();
  await before.user.type(before.field, `${text}{Enter}`);
  await within(before.log).findByText('Not sent');
  const page = await reload();
  serveChat();
  return { ...page, asked };
}

describe('a message that was not sent before the page was loaded anew', () => {
  it('stands there, and Retry sends it as the same one', async () => {
    const { user, log, field, asked } = await failed('Once more');
    expect(within(log).getByText('Once more')).toBeVisible();
    expect(field).toHaveValue('');
    await user.click(within(log).getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(within(log).getByText('Sent')).toBeVisible());
    expect(texts()).toEqual(['Once more']);
    expect(keys()).toEqual([asked[0]]);
    const again = await reload();
    expect(within(again.log).queryByText('Not sent')).toBeNull();
  });

  it('can be removed for good', async () => {
    const { user, log } = await failed('Better not');
    await user.click(within(log).getByRole('button', { name: 'Remove' }));
    expect(within(log).queryByText('Better not')).toBeNull();
    const again = await reload();
    expect(within(again.log).queryByText('Better not')).toBeNull();
    expect(texts()).toEqual([]);
  });

  it('is not offered when it had arrived', async () => {
    const before = await openThread();
    server.use(
      http.post('*/api/messages', ({ request }) => {
        written('Lost answer', '', request.headers.get('Idempotency-Key'));
        return new Promise<never>(() => undefined);
      }),
    );
    await before.user.type(before.field, 'Lost answer{Enter}');
    await within(before.log).findByText('Sending');
    const { log } = await reload();
    expect(await within(log).findByText('Lost answer')).toBeVisible();
    expect(within(log).queryByText('Not sent')).toBeNull();
  });

  it('is there also when it waited for the connection, in its order', async () => {
    const before = await openThread();
    onlineManager.setOnline(false);
    await before.user.type(before.field, 'one{Enter}two{Enter}');
    const { user, log } = await reload();
    expect(within(log).getAllByText('Not sent')).toHaveLength(2);
    for (let left = 2; left > 0; left -= 1) {
      const [first] = within(log).getAllByRole('button', { name: 'Retry' });
      if (first) await user.click(first);
    }
    await waitFor(() => expect(texts()).toEqual(['one', 'two']));
  });

  it('is gone after the log-out', async () => {
    const { user } = await failed('Between us');
    server.use(http.post('*/api/auth/logout', () => HttpResponse.json({ message: 'Logout successfully!' })));
    await user.click(screen.getByRole('button', { name: 'Profile menu' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
    await screen.findByRole('heading', { name: 'Login' });
    const { log } = await reload();
    expect(within(log).queryByText('Between us')).toBeNull();
  });
});

describe('Remove', () => {
  it('takes back what the message gave to its field, but nothing that was typed since', async () => {
    unreachable();
    const { user, log, field } = await openThread();
    await user.type(field, 'Hello{Enter}');
    await waitFor(() => expect(field).toHaveValue('Hello'));
    await user.click(within(log).getByRole('button', { name: 'Remove' }));
    expect(field).toHaveValue('');
    await user.type(field, 'Hello{Enter}');
    await waitFor(() => expect(field).toHaveValue('Hello'));
    await user.type(field, ' there');
    await user.click(within(log).getByRole('button', { name: 'Remove' }));
    expect(field).toHaveValue('Hello there');
    expect(within(log).queryByText('Not sent')).toBeNull();
  });
});
