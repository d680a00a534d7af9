import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, vi } from 'vitest';
import { chatKeys } from '@/entities/chat/cache';
import { keys } from '@/entities/keys';
import * as pictures from '@/lib/pictures';
import { queryClient } from '../query-client';
import { renderAt } from '../render';
import { nusrat, nusratsAccount, server, signedInAs } from '../server';
import { broken, done, enter, failures, type Row, refused, says, specTexts, type Trigger, WORD } from './harness';

const signUp: Trigger = {
  when: 'somebody signs up',
  call: 'POST /auth/signup',
  act: async () => {
    const { user } = renderAt('/signup');
    const submit = await screen.findByRole('button', { name: 'Sign up' });
    enter('Username', 'nusrat');
    enter('Email', 'nusrat@example.com');
    enter('Password', 'secret-1');
    await user.click(submit);
  },
};
const logIn: Trigger = {
  when: 'somebody logs in',
  call: 'POST /auth/login',
  act: async () => {
    const { user } = renderAt('/login');
    const submit = await screen.findByRole('button', { name: 'Login' });
    enter('Username', 'nusrat');
    enter('Password', 'secret-1');
    await user.click(submit);
  },
};
const loggedIn = done(() => {
  signedInAs(nusrat);
  return nusrat;
});
const wrong = says('Invalid credentials', 401, 'invalid_credentials');
const logOut: Trigger = {
  when: 'a user logs out',
  call: 'POST /auth/logout',
  given: () => signedInAs(nusrat),
  act: async () => {
    const { user } = renderAt('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Profile menu' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  },
};
const choosePicture: Trigger = {
  when: 'a user chooses another picture',
  call: 'PUT /auth/update-profile',
  given: () => {
    signedInAs(nusrat);
    vi.spyOn(pictures, 'downscale').mockResolvedValue('data:image/webp;base64,AAAA');
    server.use(http.get('*/api/auth/me', () => HttpResponse.json(nusratsAccount)));
  },
  act: async () => {
    const { user } = renderAt('/profile');
    await user.upload(await screen.findByLabelText('Choose a picture'), new File(['raw'], 'a.jpg', { type: 'image/jpeg' }));
  },
};

specTexts('signing in', [
  ...failures({ text: 'Something went wrong', trigger: signUp }),
  ...failures({ text: 'Something went wrong', trigger: logIn }),
  ...failures({ text: 'Something went wrong', trigger: logOut }),
  ...failures({ text: 'Something went wrong', trigger: choosePicture }),
  { text: 'Too many attempts. Please try again later.', trigger: logIn, server: says(WORD, 429, 'locked'), as: 'error' },
  { text: 'Invalid credentials', trigger: logIn, server: wrong, as: 'error', instead: 'Incorrect username or password' },
  { text: 'Account created successfully!', trigger: signUp, server: done(() => nusrat, 201), as: 'success' },
  { text: 'Login successful!', trigger: logIn, server: loggedIn, as: 'success' },
  { text: 'Logout successfully!', trigger: logOut, server: done(() => ({ message: '' })), as: 'success' },
  { text: 'Profile updated successfully!', trigger: choosePicture, server: done(() => nusrat), as: 'success' },
]);

/** Opens the page with something unread in the cache. */
const look = (what: string, call: Trigger['call'], key: readonly string[]): Trigger => ({
  when: `the page looks whether ${what}`,
  call,
  given: () => {
    signedInAs(nusrat);
    queryClient.setQueryData(key, true, { updatedAt: 1 });
  },
  act: async () => {
    renderAt('/dashboard');
    await screen.findByRole('heading', { level: 1, name: 'nusrat' });
  },
});
const lookForMessages = look('a message is unread', 'GET /messages/unread-dot', chatKeys.unread);
const lookForNews = look('a notification is unread', 'GET /notifications/unread-status', keys.unreadNotifications);
const openNews: Trigger = {
  when: 'a user opens the notifications',
  call: 'GET /notifications',
  given: () => {
    signedInAs(nusrat);
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        observe = vi.fn();
        disconnect = vi.fn();
      },
    );
  },
  act: async () => {
    const { user } = renderAt('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Notifications' }));
  },
};
const noDot = () => screen.findByRole('button', { name: 'Messages' });
const inPlace = () => screen.findByText('The notifications could not be loaded.');
const unknown = async () => expect(await screen.findByRole('button', { name: /^Notifications/ })).toBeVisible();

const LOOKS: Row[] = [broken, refused].flatMap((server) => [
  { trigger: lookForMessages, server, as: 'silence', then: noDot },
  { trigger: lookForNews, server, as: 'silence', then: unknown },
  { trigger: openNews, server, as: 'silence', then: inPlace },
]);
specTexts('what is only logged', LOOKS);
