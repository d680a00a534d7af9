import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { aReport, blockedAnswer, onCall } from '@/testing/moderation';
import { aPost, aProfile, aReview, tanvirParty } from '@/testing/posts';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

const sent = () =>
  HttpResponse.json(
    { message: 'Thank you. We will look at it and tell you what we decide.', outcome: 'report_sent', report: aReport() },
    { status: 201 },
  );

beforeEach(() => {
  sessionStorage.clear();
  signedInAs(nusrat);
  server.use(http.get('*/api/auth/profile/:name', () => HttpResponse.json(aProfile())));
});

async function openDialog(path = '/profile/tanvir', button: string | RegExp = 'Report this user', name = /^Report/) {
  const app = renderAt(path);
  await app.user.click(await screen.findByRole('button', { name: button }));
  return { ...app, dialog: within(await screen.findByRole('dialog', { name })) };
}

describe('a report', () => {
  it('needs a reason, and words where none of the reasons fits', async () => {
    const calls = onCall('post', '/reports', sent);
    const { user, dialog } = await openDialog();
    const send = dialog.getByRole('button', { name: 'Send report' });
    await user.click(send);
    expect(await dialog.findByText('Please choose a reason.')).toBeVisible();
    await user.click(dialog.getByLabelText('Something else'));
    await user.click(send);
    expect(await dialog.findByText('Please describe the problem.')).toBeVisible();
    expect(dialog.getByLabelText(/^What happened/)).toHaveFocus();
    await user.type(dialog.getByLabelText(/^What happened/), '  Sells accounts of others. ');
    await user.click(send);
    expect(await dialog.findByText('Thank you for telling us')).toBeVisible();
    expect(calls).toEqual([{ subject: 'user', subjectId: 'u-tanvir', reason: 'other', text: 'Sells accounts of others.' }]);
  });

  it('keeps what was typed through a failure, and when the dialog is closed', async () => {
    onCall('post', '/reports', () =>
      HttpResponse.json({ code: 'conflict', reason: 'already_reported', message: 'You already reported this.' }, { status: 409 }),
    );
    const { user, dialog } = await openDialog();
    await user.click(dialog.getByLabelText(/^Scam or fraud/));
    await user.type(dialog.getByLabelText(/^What happened/), 'He took the money.');
    await user.click(dialog.getByRole('button', { name: 'Send report' }));
    expect(await dialog.findByText('You already reported this.')).toBeVisible();
    expect(dialog.getByLabelText(/^What happened/)).toHaveValue('He took the money.');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Report this user' }));
    const again = within(await screen.findByRole('dialog'));
    expect(again.getByLabelText(/^What happened/)).toHaveValue('He took the money.');
    expect(again.getByLabelText(/^Scam or fraud/)).toBeChecked();
  });

  it('thanks, offers to block, and leads to one’s reports', async () => {
    onCall('post', '/reports', sent);
    const blocks = onCall('post', '/users/u-tanvir/block', blockedAnswer);
    const { user, dialog } = await openDialog();
    await user.click(dialog.getByLabelText('Spam or advertising'));
    await user.click(dialog.getByRole('button', { name: 'Send report' }));
    expect(await dialog.findByRole('heading', { name: 'Thank you for telling us' })).toHaveFocus();
    expect(dialog.getByRole('link', { name: 'Your reports' })).toHaveAttribute('href', '/reports');
    await user.click(dialog.getByRole('button', { name: 'Also block tanvir' }));
    expect(await dialog.findByText('You blocked tanvir.')).toBeVisible();
    expect(blocks).toHaveLength(1);
  });

  it('begins anew when the dialog is opened once more after one was sent', async () => {
    onCall('post', '/reports', sent);
    const { user, dialog } = await openDialog();
    await user.click(dialog.getByLabelText('Spam or advertising'));
    await user.click(dialog.getByRole('button', { name: 'Send report' }));
    await user.click(await dialog.findByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const button = screen.getByRole('button', { name: 'Report this user' });
    expect(button).toHaveFocus();
    await user.click(button);
    const again = within(await screen.findByRole('dialog', { name: /^Report/ }));
    expect(again.getByLabelText('Spam or advertising')).not.toBeChecked();
    expect(again.queryByText('Thank you for telling us')).toBeNull();
  });

  it('of a review may say that it is untrue; of a user it may not', async () => {
    const { user, dialog } = await openDialog();
    expect(dialog.queryByLabelText('Untrue review')).toBeNull();
    await user.keyboard('{Escape}');
    // People cannot report their own review.
    expect(screen.queryByRole('button', { name: /^Report the review/ })).toBeNull();
  });

  it('of a post names it', async () => {
    server.use(http.get('*/api/posts/p-1', () => HttpResponse.json(aPost())));
    const calls = onCall('post', '/reports', sent);
    const { user, dialog } = await openDialog('/posts/p-1', 'Report', /^Report this post/);
    expect(dialog.getByText('“Cooking channel, 41,200 subscribers”, by tanvir')).toBeVisible();
    await user.click(dialog.getByLabelText('Something illegal'));
    await user.click(dialog.getByRole('button', { name: 'Send report' }));
    await waitFor(() => expect(calls).toEqual([{ subject: 'post', subjectId: 'p-1', reason: 'illegal', text: '' }]));
  });

  it('of a review by somebody else', async () => {
    const review = { ...aProfile().reviews[0], reviewer: { ...tanvirParty, _id: 'u-x', username: 'xenia' } };
    server.use(http.get('*/api/auth/profile/:name', () => HttpResponse.json({ ...aProfile(), reviews: [review] })));
    const { dialog } = await openDialog('/profile/tanvir', 'Report the review by xenia', /^Report this review/);
    expect(dialog.getByLabelText('Untrue review')).toBeVisible();
  });

  it('is not offered of a review whose author has closed the account', async () => {
    const xenia = { ...tanvirParty, _id: 'u-x', username: 'xenia' };
    const gone = { ...tanvirParty, _id: 'u-y', username: 'deleted-4f7k2m9q', closed: true };
    const reviews = [
      aReview({ reviewer: xenia }),
      aReview({ _id: 'r-2', reviewer: xenia, comment: '' }),
      aReview({ _id: 'r-3', reviewer: gone }),
    ];
    server.use(
      http.get('*/api/auth/profile/:name', () => HttpResponse.json(aProfile({ reviews, ratingCount: 3, reviewCount: 3 }))),
    );
    renderAt('/profile/tanvir');
    expect(await screen.findAllByRole('button', { name: /^Report the review by/ })).toHaveLength(1);
  });
});

describe('a post that Amanat has hidden', () => {
  it('says so to its owner, with the way to the decision', async () => {
    const own = { ...tanvirParty, _id: nusrat._id, username: nusrat.username };
    server.use(
      http.get('*/api/posts/p-1', () => HttpResponse.json(aPost({ createdBy: own, hidden: true, decisionId: 'dec-1' }))),
      http.get('*/api/posts/my-posts', () => HttpResponse.json([aPost({ createdBy: own, hidden: true, decisionId: 'dec-1' })])),
    );
    const { router } = renderAt('/posts/p-1');
    expect(await screen.findByText('Hidden by Amanat')).toBeVisible();
    expect(screen.getByText(/^Only you and Amanat’s staff can see this post\./)).toBeVisible();
    expect(screen.getByRole('link', { name: 'See the decision' })).toHaveAttribute('href', '/decisions/dec-1');
    await router.navigate({ to: '/MyPosts' });
    expect(await screen.findByRole('link', { name: /^See the decision about Cooking channel/ })).toHaveAttribute(
      'href',
      '/decisions/dec-1',
    );
  });

  it('says so to an admin without a way to a decision that is not about them', async () => {
    signedInAs({ ...nusrat, isAdmin: true });
    server.use(
      http.get('*/api/posts/p-1', () => HttpResponse.json(aPost({ createdBy: tanvirParty, hidden: true, decisionId: 'dec-1' }))),
    );
    renderAt('/posts/p-1');
    expect(await screen.findByText('Hidden by Amanat')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'See the decision' })).toBeNull();
    expect(screen.queryByText(/^Only you/)).toBeNull();
  });
});
