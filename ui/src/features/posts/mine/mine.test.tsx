import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Post } from '@/api/contract';
import { pageOf } from '@/testing/deal-lists';
import { aPost } from '@/testing/posts';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

let mine: Post[];

beforeEach(() => {
  signedInAs(nusrat);
  const createdBy = { _id: nusrat._id, username: nusrat.username, profilePic: '', isStaff: false };
  mine = [aPost({ createdBy }), aPost({ _id: 'p-2', title: 'A logo', createdBy, seen: 1240, saves: 12, asked: 5 })];
  server.use(http.get('*/api/posts/my-posts', ({ request }) => pageOf(mine, new URL(request.url))));
});

async function open() {
  const app = renderAt('/MyPosts');
  await screen.findByRole('heading', { level: 1, name: 'My Services' });
  return app;
}

const said = () => notices.map(({ kind, text }) => [kind, text]);

describe('My Services', () => {
  it('has one’s own posts with what others did with them, and a card opens the form', async () => {
    await open();
    const cards = within(screen.getByRole('list', { name: '2 posts' }));
    expect(cards.getByRole('link', { name: /A logo From/ })).toHaveAttribute('href', '/posts/edit/p-2');
    expect(cards.getByText(/^Seen/)).toHaveTextContent('Seen 1,240 · Saved 12 · Asked 5');
    expect(screen.getByRole('link', { name: 'Create a post' })).toHaveAttribute('href', '/posts/create');
  });

  it('goes on when there are more than a page', async () => {
    mine = Array.from({ length: 30 }, (_, index) => aPost({ _id: `p-${index}`, title: `Post ${index}` }));
    const { user } = await open();
    const list = within(screen.getByRole('list', { name: '30 posts' }));
    expect(list.queryByRole('button', { name: 'Delete Post 24' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Show 6 more' }));
    expect(await list.findByRole('button', { name: 'Delete Post 29' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull();
  });

  it('says when the rest does not come, and asks again', async () => {
    mine = Array.from({ length: 30 }, (_, index) => aPost({ _id: `p-${index}`, title: `Post ${index}` }));
    const { user } = await open();
    server.use(http.get('*/api/posts/my-posts', () => HttpResponse.json({ code: 'invalid', message: '' }, { status: 400 })));
    await user.click(screen.getByRole('button', { name: 'Show 6 more' }));
    const failed = within(await screen.findByRole('alert'));
    expect(failed.getByText('The rest could not be loaded.')).toBeVisible();
    server.use(http.get('*/api/posts/my-posts', ({ request }) => pageOf(mine, new URL(request.url))));
    await user.click(failed.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('button', { name: 'Delete Post 29' })).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('says when there are none, and leads to the first', async () => {
    mine = [];
    await open();
    expect(screen.getByText("You haven't created any posts yet.")).toBeVisible();
    expect(screen.getByRole('link', { name: 'Create a post' })).toHaveAttribute('href', '/posts/create');
  });

  it('copies the public address of a post and shows a tick for two seconds', async () => {
    const { user } = await open();
    const write = vi.spyOn(navigator.clipboard, 'writeText');
    const button = screen.getByRole('button', { name: 'Copy the link to A logo' });
    await user.click(button);
    expect(write).toHaveBeenCalledWith('http://localhost:3000/posts/p-2');
    expect(button.querySelector('.lucide-check')).toBeInTheDocument();
    // Screen readers need more than the tick.
    expect(said()).toEqual([['success', 'Copied']]);
    await waitFor(() => expect(button.querySelector('.lucide-check')).toBeNull());
  });
});

describe('deleting', () => {
  async function ask() {
    const app = await open();
    await app.user.click(screen.getByRole('button', { name: 'Delete A logo' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Are you sure you want to delete this post?' });
    return { ...app, answer: (name: string) => app.user.click(within(dialog).getByRole('button', { name })) };
  }

  it('is asked for first', async () => {
    const { answer } = await ask();
    await answer('Keep it');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(screen.getByRole('button', { name: 'Delete A logo' })).toHaveFocus();
  });

  it('takes the card away', async () => {
    const gone: unknown[] = [];
    server.use(
      http.delete('*/api/posts/:id', ({ params }) => {
        gone.push(params.id);
        return HttpResponse.json({ message: 'Post deleted' });
      }),
    );
    const { answer } = await ask();
    await answer('Delete the post');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete A logo' })).toBeNull());
    await waitFor(() => expect(said()).toEqual([['success', 'Post deleted']]));
    expect(gone).toEqual(['p-2']);
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
  });

  it('that failed says so, and the post stays', async () => {
    server.use(http.delete('*/api/posts/:id', () => HttpResponse.error()));
    const { answer } = await ask();
    await answer('Delete the post');
    await waitFor(() => expect(said()).toEqual([['error', 'Failed to delete the post.']]));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(screen.getByRole('button', { name: 'Delete A logo' })).toBeInTheDocument();
  });

  it('of what is gone already takes its card, too', async () => {
    const { answer } = await ask();
    mine = mine.slice(0, 1);
    server.use(
      http.delete('*/api/posts/:id', () => HttpResponse.json({ message: 'Post not found', code: 'not_found' }, { status: 404 })),
    );
    await answer('Delete the post');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete A logo' })).toBeNull());
  });
});
