import { onlineManager } from '@tanstack/react-query';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as pictures from '@/lib/pictures';
import { sendOver } from '@/lib/realtime/live';
import { aConversation, chatServer, openThread, receive, serveChat } from '@/testing/chat';
import { isWide } from '@/testing/deals';
import { deferred } from '@/testing/deferred';
import { notices } from '@/testing/recorded';
import { server } from '@/testing/server';

const PICTURE = 'data:image/webp;base64,AAAA';

beforeEach(() => {
  serveChat();
  vi.spyOn(pictures, 'downscale').mockImplementation((file) =>
    (file as File).name.endsWith('.heic') ? Promise.reject(new Error('not a picture')) : Promise.resolve(PICTURE),
  );
  isWide(true);
});
afterEach(() => {
  onlineManager.setOnline(true);
  sendOver(null);
  sessionStorage.clear();
});

const said = () => notices.map(({ kind, text }) => [kind, text]);
const texts = () => chatServer.sent.map(({ text }) => text);
const refuse = (message = '') =>
  server.use(
    http.post('*/api/messages', () => HttpResponse.json({ message, code: 'conflict' }, { status: 409 }), { once: true }),
  );
const fileField = () => {
  const field = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (!field) throw new Error('nothing to choose a file with');
  return field;
};

describe('Enter', () => {
  it('sends what was typed, trimmed, and the message shows at once', async () => {
    const { user, log, field } = await openThread();
    let answer: () => void = () => undefined;
    server.use(
      http.post('*/api/messages', async ({ request }) => {
        await new Promise<void>((resume) => {
          answer = resume;
        });
        return receive(request);
      }),
    );
    await user.type(field, '  Is it?  {Enter}');
    expect(field).toHaveValue('');
    expect(await within(log).findByText('Is it?')).toBeVisible();
    expect(within(log).getByText('Sending')).toBeVisible();
    await waitFor(() => {
      answer();
      expect(within(log).queryByText('Sending')).toBeNull();
    });
    expect(within(log).getAllByText('Is it?')).toHaveLength(1);
    expect(within(log).getByText('Sent')).toBeVisible();
    expect(chatServer.sent[0]?.key).toMatch(/^[0-9a-f]{32}$/);
    expect(await screen.findByText(/^Me: Is it\?/)).toBeVisible();
  });

  it('with Shift begins a line, and while a word is composed ends the word', async () => {
    const { user, field } = await openThread();
    await user.type(field, 'One{Shift>}{Enter}{/Shift}two');
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
    fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 }); // Safari
    expect(field).toHaveValue('One\ntwo');
    expect(texts()).toEqual([]);
    fireEvent.keyDown(field, { key: 'Enter' });
    await waitFor(() => expect(texts()).toEqual(['One\ntwo']));
  });

  it('sends nothing when there is nothing, or too much', async () => {
    const { user, field } = await openThread();
    await user.type(field, '   {Enter}');
    expect(said()).toEqual([['error', 'Text or Image is needed']]);
    fireEvent.change(field, { target: { value: 'x'.repeat(4_001) } });
    expect(screen.getByText('1 character too many')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(said()[1]).toEqual(['error', 'The message must be at most 4,000 characters.']);
    expect(field.value).toHaveLength(4_001);
    fireEvent.change(field, { target: { value: 'x'.repeat(3_990) } });
    expect(screen.getByText('10 characters left')).toBeVisible();
    expect(texts()).toEqual([]);
    fireEvent.change(field, { target: { value: 'x'.repeat(4_000) } });
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(texts()).toEqual(['x'.repeat(4_000)]));
  });

  it('sends one after the other, in order', async () => {
    const { user, field } = await openThread();
    await user.type(field, 'one{Enter}two{Enter}three{Enter}');
    await waitFor(() => expect(texts()).toEqual(['one', 'two', 'three']));
  });
});

describe('a message that was not sent', () => {
  it('gives its text back, and Retry sends it as the same one', async () => {
    const { user, log, field } = await openThread();
    refuse();
    await user.type(field, 'Once more{Enter}');
    expect(await within(log).findByText('Not sent')).toBeVisible();
    expect(field).toHaveValue('Once more');
    expect(said()).toEqual([['error', 'Failed to send message']]);
    await user.click(within(log).getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(within(log).getByText('Sent')).toBeVisible());
    expect(field).toHaveValue('');
    expect(texts()).toEqual(['Once more']);
    expect(within(log).queryByText('Not sent')).toBeNull();
  });

  it('sent again from its field is the same one, too; changed, it is another in its place', async () => {
    const { user, log, field } = await openThread();
    const keys: (string | null)[] = [];
    server.use(
      http.post('*/api/messages', ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return keys.length < 3 ? HttpResponse.json({ message: '', code: 'conflict' }, { status: 409 }) : receive(request);
      }),
    );
    await user.type(field, 'Hello{Enter}');
    await waitFor(() => expect(field).toHaveValue('Hello'));
    await user.type(field, '{Enter}');
    await waitFor(() => expect(keys).toHaveLength(2));
    await waitFor(() => expect(field).toHaveValue('Hello'));
    await user.type(field, ' there{Enter}');
    await waitFor(() => expect(within(log).getByText('Sent')).toBeVisible());
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[1]);
    expect(within(log).queryByText('Not sent')).toBeNull();
    expect(within(log).queryByText('Hello')).toBeNull();
  });

  it('does not push away what was typed since', async () => {
    const { user, log, field } = await openThread();
    const answered = deferred();
    server.use(
      http.post('*/api/messages', async () => {
        await answered.promise;
        return HttpResponse.json({ message: '', code: 'conflict' }, { status: 409 });
      }),
    );
    await user.type(field, 'First{Enter}Second');
    answered.resolve();
    expect(await within(log).findByText('Not sent')).toBeVisible();
    expect(field).toHaveValue('Second');
  });

  it('says the server’s word, and why there is nothing to write with any more', async () => {
    const { user, field } = await openThread();
    refuse('This account is disabled. You can read your messages but not send new ones.');
    chatServer.conversations = [aConversation({ writable: false })];
    await user.type(field, 'Hello{Enter}');
    expect(await screen.findByText('You cannot write to tanvir.')).toBeVisible();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(said()[0]?.[1]).toMatch(/^This account is disabled/);
  });
});

describe('without a connection', () => {
  it('messages wait, and go in their order when it is back', async () => {
    const { user, log, field } = await openThread();
    onlineManager.setOnline(false);
    await user.type(field, 'one{Enter}two{Enter}');
    expect(within(log).getAllByText('Waiting for connection')).toHaveLength(2);
    expect(field).toHaveValue('');
    onlineManager.setOnline(true);
    await waitFor(() => expect(texts()).toEqual(['one', 'two']));
    await waitFor(() => expect(within(log).queryByText('Sending')).toBeNull());
  });
});

describe('an image', () => {
  it('is shown before it is sent, can be removed, and goes with the text', async () => {
    const { user, log, field } = await openThread();
    const photo = new File(['x'], 'photo.jpg', { type: 'image/jpeg' });
    await user.upload(fileField(), photo);
    await user.click(await screen.findByRole('button', { name: 'Remove the image' }));
    expect(screen.queryByAltText('The image you are about to send')).toBeNull();
    fireEvent.paste(field, { clipboardData: { files: [photo] } });
    expect(await screen.findByAltText('The image you are about to send')).toHaveAttribute('src', PICTURE);
    await user.type(field, 'Like this?{Enter}');
    await waitFor(() => expect(chatServer.sent).toMatchObject([{ text: 'Like this?', image: PICTURE }]));
    const shown = await within(log).findByRole('button', { name: 'Your image' });
    await user.click(shown);
    expect(await screen.findByRole('dialog', { name: 'Your image' })).toBeVisible();
  });

  it('comes back with its text when it was not sent', async () => {
    const { user, field } = await openThread();
    refuse();
    await user.upload(fileField(), new File(['x'], 'photo.jpg', { type: 'image/jpeg' }));
    await screen.findByAltText('The image you are about to send');
    await user.type(field, 'See{Enter}');
    await waitFor(() => expect(said()).toEqual([['error', 'Failed to send message']]));
    expect(field).toHaveValue('See');
    expect(screen.getByAltText('The image you are about to send')).toBeVisible();
  });

  it('must be one, and one that can be read here', async () => {
    await openThread();
    const user = userEvent.setup({ applyAccept: false });
    await user.upload(fileField(), new File(['x'], 'a.pdf', { type: 'application/pdf' }));
    expect(said()).toEqual([['error', 'Please select an image file!']]);
    await user.upload(fileField(), new File(['x'], 'a.heic', { type: 'image/heic' }));
    await waitFor(() => expect(said()[1]?.[1]).toMatch(/cannot be read here. If it is a HEIC photo, send it as JPEG/));
  });
});

describe('what is typed', () => {
  it('is kept for each conversation, and told to the other every two seconds at most', async () => {
    const frames: unknown[] = [];
    sendOver((type, data) => frames.push([type, data]) > 0);
    const now = vi.spyOn(Date, 'now');
    const start = Date.now();
    const { user, field, router } = await openThread();
    now.mockReturnValue(start);
    fireEvent.change(field, { target: { value: 'a' } });
    now.mockReturnValue(start + 1_900);
    fireEvent.change(field, { target: { value: 'ab' } });
    expect(frames).toEqual([['typing', { conversationId: 'c-1' }]]);
    now.mockReturnValue(start + 2_100);
    fireEvent.change(field, { target: { value: 'abc' } });
    expect(frames).toHaveLength(2);
    now.mockRestore();
    await router.navigate({ to: '/deal' });
    await user.click(await screen.findByRole('button', { name: 'Messages' }));
    await user.click(await screen.findByRole('menuitem', { name: /tanvir/ }));
    expect(await screen.findByRole('textbox', { name: 'Message' })).toHaveValue('abc');
  });
});
