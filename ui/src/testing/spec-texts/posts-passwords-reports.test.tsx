import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { aListing } from '@/testing/posts';
import { aPost, aProfile } from '../posts';
import { alertSays, renderAt } from '../render';
import { nusrat, server, signedInAs } from '../server';
import { broken, done, enter, failures, lost, type Row, refused, says, specTexts, type Trigger, WORD } from './harness';

const open = (path: string): Trigger['act'] => {
  return () => Promise.resolve(renderAt(path));
};
const own = aPost({ createdBy: { _id: nusrat._id, username: nusrat.username, profilePic: '', isStaff: false } });
const given = () => {
  signedInAs(nusrat);
  server.use(
    http.get('*/api/posts/my-posts', () => HttpResponse.json([own])),
    http.get('*/api/posts/p-1', () => HttpResponse.json(own)),
    http.get('*/api/auth/profile/:name', () => HttpResponse.json(aProfile())),
  );
};

const remove: Trigger = {
  when: 'a user deletes a post',
  call: 'DELETE /posts/p-1',
  given,
  act: async () => {
    const { user } = renderAt('/MyPosts');
    await user.click(await screen.findByRole('button', { name: /^Delete/ }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete the post' }));
  },
};
const explore: Trigger = { when: 'somebody explores', call: 'GET /posts/public', act: open('/explore') };
const openOwn: Trigger = { when: 'a user opens his posts', call: 'GET /posts/my-posts', given, act: open('/MyPosts') };
const openPost: Trigger = { when: 'somebody opens a post', call: 'GET /posts/p-1', act: open('/posts/p-1') };
const editPost: Trigger = { ...openPost, when: 'a user edits a post', given, act: open('/posts/edit/p-1') };
const openPerson: Trigger = {
  when: 'somebody opens a profile',
  call: 'GET /auth/profile/tanvir',
  act: open('/profile/tanvir'),
};
const missing = says('', 404, 'not_found');

specTexts('posts and people', [
  ...failures({ text: 'Failed to delete the post.', trigger: remove }),
  {
    text: 'No posts found.',
    trigger: explore,
    server: done(() => aListing([], { totalPages: 0 })),
    as: 'page',
  },
  { text: "You haven't created any posts yet.", trigger: openOwn, server: done(() => []), as: 'page' },
  { text: 'Post not found', trigger: openPost, server: missing, as: 'page' },
  { text: 'Post not found', trigger: editPost, server: missing, as: 'page' },
  { text: 'User not found', trigger: openPerson, server: missing, as: 'page' },
]);

const save: Trigger = {
  when: 'a user saves a post',
  call: 'PUT /posts/p-1',
  given,
  act: async () => {
    const { user } = renderAt('/posts/edit/p-1');
    await user.click(await screen.findByRole('button', { name: 'Save' }));
  },
};
const publish: Trigger = {
  when: 'a user publishes a post',
  call: 'POST /posts',
  given,
  act: async () => {
    const { user } = renderAt('/posts/create');
    const submit = await screen.findByRole('button', { name: 'Publish' });
    enter(/^Title/, 'A logo');
    enter(/^Description/, 'In two days.');
    enter('Price', '65');
    enter('Category', 'Freelance Service');
    enter('Subcategory', 'Logo Design');
    await user.click(submit);
  },
};
const pageFailed = () => screen.findByText('This page could not be loaded.');
const formSays = (text: string) => () => alertSays(text);
const NOT_LOADED: Row[] = [openPost, editPost, openPerson].flatMap((trigger) => [
  { trigger, server: broken, as: 'silence', then: pageFailed },
  { trigger, server: refused, as: 'silence', then: pageFailed },
]);
specTexts('what is only logged of posts and profiles', [
  ...NOT_LOADED,
  { trigger: save, server: lost, as: 'silence', then: formSays('Something went wrong') },
  { trigger: save, server: refused, as: 'silence', then: formSays(WORD) },
  { trigger: publish, server: broken, as: 'silence', then: formSays('Something went wrong') },
  { trigger: publish, server: refused, as: 'silence', then: formSays(WORD) },
]);

const report: Trigger = {
  when: 'somebody reports a bug',
  call: 'POST /auth/bug-report',
  act: async () => {
    const { user } = renderAt('/reportabug');
    const submit = await screen.findByRole('button', { name: 'Submit report' });
    enter('Subject', 'No picture');
    enter('Description', 'It stays white.');
    await user.click(submit);
  },
};
const forgot: Trigger = {
  when: 'somebody has forgotten the password',
  call: 'POST /auth/forgot-password',
  act: async () => {
    const { user } = renderAt('/forgot-password');
    const submit = await screen.findByRole('button', { name: 'Send the link' });
    enter('Email', 'nusrat@example.com');
    await user.click(submit);
  },
};
const reset: Trigger = {
  when: 'somebody chooses a new password',
  call: 'POST /auth/reset-password',
  act: async () => {
    const { user } = renderAt('/reset-password?token=tok-1');
    const submit = await screen.findByRole('button', { name: 'Save the new password' });
    enter('New password', 'secret-2');
    await user.click(submit);
  },
};
const unknown = says('No account has this email address.', 404, 'not_found');
const reported = done(() => ({ message: '' }), 201);
const unsaid = done(() => ({ message: '' }));
const said = done(() => ({ message: WORD }));

specTexts('passwords and reports', [
  { text: 'Thank you! Your report has been submitted.', trigger: report, server: reported, as: 'success' },
  ...failures({ text: 'Failed to submit bug report', trigger: report }),
  { text: 'Invalid email address!', trigger: forgot, server: unknown, as: 'error' },
  ...failures({ text: 'Something went wrong.', trigger: forgot }),
  { text: 'Password reset link sent to your email.', trigger: forgot, server: unsaid, as: 'success' },
  { text: 'Password reset link sent to your email.', trigger: forgot, server: said, as: 'success', instead: WORD },
  ...failures({ text: 'Something went wrong.', trigger: reset }),
  { text: 'Password has been successfully reset.', trigger: reset, server: unsaid, as: 'success' },
  { text: 'Password has been successfully reset.', trigger: reset, server: said, as: 'success', instead: WORD },
]);
