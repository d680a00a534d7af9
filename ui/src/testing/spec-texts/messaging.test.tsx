import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect } from 'vitest';
import { chatServer, manyMessages, openThread, serveChat, withOther } from '../chat';
import { isWide } from '../deals';
import { aPost, aProfile } from '../posts';
import { renderAt } from '../render';
import { nusrat, server, signedInAs } from '../server';
import { type Answer, broken, done, failures, mute, refused, says, specTexts, type Trigger, WORD } from './harness';

const given = () => {
  serveChat();
  isWide(true);
};

const openInbox: Trigger = {
  when: 'a user opens the inbox',
  call: 'GET /messages/conversations',
  given,
  act: () => Promise.resolve(renderAt('/inbox')),
};
const openMenu: Trigger = {
  ...openInbox,
  when: 'a user opens the messages menu',
  act: async () => {
    const { user } = renderAt('/deal');
    await user.click(await screen.findByRole('button', { name: 'Messages' }));
  },
};
const openConversation: Trigger = {
  when: 'a user opens a conversation that the list does not know',
  call: 'GET /messages/conversations/c-1',
  given: () => {
    given();
    chatServer.conversations = [withOther('c-2', 'farhana')];
  },
  act: () => Promise.resolve(renderAt('/inbox/c-1')),
};
const openMissing: Trigger = {
  ...openConversation,
  when: 'a user opens a conversation that is not there',
  act: async () => {
    const { router } = renderAt('/inbox/c-1');
    await waitFor(() => expect(router.state.location.pathname).toBe('/inbox'));
  },
};
const readConversation: Trigger = { ...openConversation, when: 'a user opens a conversation', call: 'GET /messages/c-1', given };

/** Only pages before the newest. */
const older = (answer: Answer): Answer => ({
  ...answer,
  give: (request) => (request.url.includes('before=') ? answer.give(request) : undefined),
});
const scrollUp: Trigger = {
  when: 'a user scrolls to older messages',
  call: 'GET /messages/c-1',
  given: () => {
    given();
    chatServer.messages = manyMessages(35);
  },
  act: () => openThread(),
};

const send: Trigger = {
  when: 'a user sends a message',
  call: 'POST /messages',
  given,
  act: async () => {
    const { user, field } = await openThread();
    await user.type(field, 'Hello{Enter}');
  },
};
let gone: Promise<void>;
let leave: () => void;
const sendAndLeave: Trigger = {
  ...send,
  when: 'a user sends a message and goes elsewhere',
  given: () => {
    given();
    gone = new Promise((resolve) => {
      leave = resolve;
    });
  },
  act: async () => {
    const { user, field, router } = await openThread();
    await user.type(field, 'Hello{Enter}');
    await router.navigate({ to: '/deal' });
    await screen.findByRole('heading', { level: 1, name: 'Manage Deals' });
    leave();
  },
};
/** Answers after the user has left the page. */
const later = (answer: Answer): Answer => ({ ...answer, give: (request) => gone.then(() => answer.give(request)) });

const writeToPerson: Trigger = {
  when: 'a user writes to somebody from his profile',
  call: 'POST /messages/send-or-start',
  given: () => {
    signedInAs(nusrat);
    server.use(http.get('*/api/auth/profile/tanvir', () => HttpResponse.json(aProfile())));
  },
  act: async () => {
    const { user } = renderAt('/profile/tanvir');
    await user.click(await screen.findByRole('button', { name: 'Message tanvir' }));
  },
};
const contactSeller: Trigger = {
  when: 'a user presses Contact Me on a post',
  call: 'POST /messages/send-or-start',
  given: () => {
    writeToPerson.given?.();
    server.use(http.get('*/api/posts/p-1', () => HttpResponse.json(aPost())));
  },
  act: async () => {
    const { user } = renderAt('/posts/p-1');
    const [button] = await screen.findAllByRole('button', { name: 'Contact Me' });
    if (button) await user.click(button);
  },
};

/** A missing conversation. */
const missing = (word: string) => says(word, 404, 'not_found');
const none = done(() => []);

// Failures to load conversations are shown in place, without a toast. A missing one leads away,
// with a toast.
specTexts('conversations', [
  ...failures({ text: 'Conversation fetch failed', trigger: openInbox, as: 'alert' }),
  ...failures({ text: 'Conversation fetch failed', trigger: openConversation, as: 'alert' }),
  { text: 'Conversation fetch failed', trigger: openMenu, server: broken, as: 'page' },
  { text: 'Conversation fetch failed', trigger: openMissing, server: missing(''), as: 'error' },
  { text: 'Conversation fetch failed', trigger: openMissing, server: missing(WORD), as: 'error', instead: WORD },
  { text: 'No conversation selected', trigger: openInbox, server: none, as: 'page' },
]);

// A lost connection is retried for three seconds, so the server refuses at once.
specTexts('messages', [
  ...failures({ text: 'Message fetch failed', trigger: readConversation, as: 'alert' }),
  { text: 'Message load failed', trigger: scrollUp, server: older(broken), as: 'log' },
  { text: 'Message load failed', trigger: scrollUp, server: older(mute), as: 'log' },
  { text: 'Failed to send message', trigger: send, server: mute, as: 'error' },
  { text: 'Failed to send message', trigger: send, server: refused, as: 'error', instead: WORD },
  { text: 'Message send failed', trigger: sendAndLeave, server: later(mute), as: 'error' },
  { text: 'Message send failed', trigger: sendAndLeave, server: later(refused), as: 'error', instead: WORD },
  ...failures({ text: 'Failed to start chat', trigger: writeToPerson }),
  ...failures({ text: 'Something went wrong while starting the conversation.', trigger: contactSeller }),
]);
