import { waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyNewMessage } from '@/entities/chat/apply-events';
import { openThread, receive, serveChat, written } from '@/testing/chat';
import { isWide } from '@/testing/deals';
import { queryClient } from '@/testing/query-client';
import { nusrat, server } from '@/testing/server';

beforeEach(() => {
  serveChat();
  isWide(true);
});

/** The server never answers from here on. Returns the keys of the requests. */
const unanswered = () => {
  const keys: (string | null)[] = [];
  server.use(
    http.post('*/api/messages', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return HttpResponse.json({ message: '', code: 'unavailable' }, { status: 503 });
    }),
  );
  return keys;
};

describe('an event that brings one’s own message', () => {
  it('before the answer does not double it', async () => {
    const { user, log, field } = await openThread();
    let answer: () => void = () => undefined;
    const sent: ReturnType<typeof written>[] = [];
    server.use(
      http.post('*/api/messages', async ({ request }) => {
        const { text } = (await request.json()) as { text: string };
        sent.push(written(text, '', request.headers.get('Idempotency-Key')));
        await new Promise<void>((resume) => {
          answer = resume;
        });
        return HttpResponse.json(sent.at(-1), { status: 201 });
      }),
    );
    await user.type(field, 'ok{Enter}ok{Enter}');
    await waitFor(() => expect(sent).toHaveLength(1));
    const [first] = sent;
    if (first) applyNewMessage(queryClient, first, nusrat._id);
    await waitFor(() => expect(within(log).getAllByText('Sending')).toHaveLength(1));
    expect(within(log).getAllByText('ok')).toHaveLength(2);
    answer();
    await waitFor(() => expect(sent).toHaveLength(2));
    if (first) applyNewMessage(queryClient, first, nusrat._id);
    expect(within(log).getAllByText('ok')).toHaveLength(2);
    answer();
    await waitFor(() => expect(within(log).queryByText('Sending')).toBeNull());
    expect(within(log).getAllByText('ok')).toHaveLength(2);
  });

  it('after a lost answer takes the failed one away, and what it gave back', async () => {
    const { user, log, field } = await openThread();
    const keys = unanswered();
    await user.type(field, 'Lost answer{Enter}');
    expect(await within(log).findByText('Not sent')).toBeVisible();
    expect(field).toHaveValue('Lost answer');
    applyNewMessage(queryClient, written('Lost answer', '', keys[0]), nusrat._id);
    await waitFor(() => expect(within(log).queryByText('Not sent')).toBeNull());
    expect(within(log).getAllByText('Lost answer')).toHaveLength(1);
    expect(field).toHaveValue('');
  });

  it('is taken for the one of its key, not for another with the same words', async () => {
    const { user, log, field } = await openThread();
    const keys = unanswered();
    await user.type(field, 'ok{Enter}ok{Enter}');
    await waitFor(() => expect(within(log).getAllByText('Not sent')).toHaveLength(2));
    const [first, second] = [...new Set(keys)];
    applyNewMessage(queryClient, written('ok', '', second), nusrat._id);
    await waitFor(() => expect(within(log).getAllByText('Not sent')).toHaveLength(1));
    expect(within(log).getAllByText('ok')).toHaveLength(2);
    const answers: (string | null)[] = [];
    server.use(
      http.post('*/api/messages', ({ request }) => {
        answers.push(request.headers.get('Idempotency-Key'));
        return receive(request);
      }),
    );
    await user.click(within(log).getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(within(log).queryByText('Not sent')).toBeNull());
    await waitFor(() => expect(within(log).queryByText('Sending')).toBeNull());
    expect(answers).toEqual([first]);
    expect(within(log).getAllByText('ok')).toHaveLength(2);
  });

  it('without a key, or with that of another page, takes nothing away', async () => {
    const { user, log, field } = await openThread();
    server.use(http.post('*/api/messages', () => HttpResponse.json({ message: '', code: 'conflict' }, { status: 409 })));
    await user.type(field, 'Hello{Enter}');
    expect(await within(log).findByText('Not sent')).toBeVisible();
    applyNewMessage(queryClient, written('Hello'), nusrat._id);
    applyNewMessage(queryClient, written('Hello', '', 'another'), nusrat._id);
    await waitFor(() => expect(within(log).getAllByText('Hello')).toHaveLength(3));
    expect(within(log).getByText('Not sent')).toBeVisible();
  });
});
