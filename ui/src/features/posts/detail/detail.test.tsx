import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Post } from '@/api/contract';
import { dhakaDay } from '@/lib/time';
import { closePage } from '@/testing/deals';
import { aPost, aProfile, tanvirParty } from '@/testing/posts';
import { renderAt } from '@/testing/render';
import { newAccountsBuyUpTo, nusrat, server, signedInAs } from '@/testing/server';

const missing = (message: string) => () => HttpResponse.json({ message, code: 'not_found' }, { status: 404 });

function serve(post: Post) {
  server.use(
    http.get(`*/api/posts/${post._id}`, () => HttpResponse.json(post)),
    http.get('*/api/auth/profile/tanvir', () => HttpResponse.json(aProfile())),
  );
}

async function open(post = aPost()) {
  serve(post);
  const app = renderAt(`/posts/${post._id}`);
  await screen.findByRole('heading', { level: 1, name: post.title });
  return { ...app, aside: within(screen.getByRole('complementary', { name: 'Seller' })) };
}

beforeEach(() => serve(aPost()));

describe('a post', () => {
  it('says what it is, from what price, and keeps the lines of its words', async () => {
    const { aside } = await open();
    const crumbs = within(screen.getByRole('navigation', { name: 'Category' }));
    expect(crumbs.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'Marketplace',
      'Online Asset',
      'YouTube Channel',
    ]);
    expect(aside.getByRole('region', { name: 'From $480' })).toBeVisible();
    expect(await aside.findByText('≈ ৳59,040')).toBeVisible();
    expect(screen.getByText(/Since 2019/).textContent).toBe('Since 2019.\nNo strikes.');
    expect(screen.getByRole('link', { name: 'cooking' })).toHaveAttribute('href', '/explore?search=cooking');
    expect(document.title).toBe('Cooking channel, 41,200 subscribers | Amanat');
  });

  it('says beside a price that a new account cannot pay what it may buy, and nothing to its owner', async () => {
    newAccountsBuyUpTo(200);
    const { aside } = await open();
    expect(await aside.findByText('New accounts buy up to $200.')).toBeVisible();
    closePage();
    signedInAs({ ...nusrat, ...tanvirParty });
    await open();
    expect(screen.queryByText(/buys? up to/)).toBeNull();
  });

  it('shows how escrow protects, with its price and the days to check', async () => {
    await open();
    const hold = screen.getByRole('group', { name: 'The buyer has $480.00' });
    expect(hold).toHaveTextContent('While you check, 10 days');
    expect(hold).toHaveTextContent('tanvir$470.40');
  });

  it('shows how the seller’s deals went and what buyers say', async () => {
    const { aside } = await open(aPost({ createdBy: { ...tanvirParty, awayUntil: dhakaDay(Date.now()) } }));
    expect(aside.getByText(/^Away until/)).toBeVisible();
    expect(await aside.findByText('96%')).toBeVisible();
    expect(aside.getByText('24 of 25 deals completed')).toBeVisible();
    expect(aside.getByText('usually within 18 hours')).toBeVisible();
    expect(aside.getByRole('link', { name: /tanvir/ })).toHaveAttribute('href', '/profile/tanvir');
    const said = within(screen.getByRole('region', { name: 'What buyers say' }));
    expect(said.getByRole('img', { name: '4 stars' })).toBeVisible();
    expect(said.getByText('All as he said.')).toBeVisible();
  });

  it('shows up to four other posts of the seller below, if there are any', async () => {
    const others = ['p-2', 'p-3', 'p-4', 'p-5', 'p-6'].map((_id) => aPost({ _id, title: `Channel ${_id}` }));
    serve(aPost());
    server.use(http.get('*/api/auth/profile/tanvir', () => HttpResponse.json(aProfile({ posts: [aPost(), ...others] }))));
    renderAt('/posts/p-1');
    const more = within(await screen.findByRole('region', { name: 'More from this seller' }));
    const hrefs = more.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(hrefs).toEqual(['/posts/p-2', '/posts/p-3', '/posts/p-4', '/posts/p-5']);
    closePage();
    const { aside } = await open();
    await aside.findByText('96%');
    expect(screen.queryByRole('region', { name: 'More from this seller' })).toBeNull();
  });

  it('is counted as seen once it is looked at, and not by its seller', async () => {
    const post = aPost({ _id: 'p-2' }); // which no other test opens
    const counted = vi.fn(() => HttpResponse.json({ counted: true }));
    server.use(http.post('*/api/posts/p-2/seen', counted));
    const visible = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    await open(post);
    expect(counted).not.toHaveBeenCalled();
    visible.mockReturnValue('visible');
    document.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(counted).toHaveBeenCalledOnce());
    document.dispatchEvent(new Event('visibilitychange'));
    closePage();
    signedInAs({ ...nusrat, ...tanvirParty });
    const { aside } = await open(post);
    await aside.findByText('96%');
    expect(counted).toHaveBeenCalledOnce();
  });

  it('is whole without the facts about the seller, which can be asked for again', async () => {
    serve(aPost());
    // Down until the press, since the page may load more than once while it opens.
    let down = true;
    server.use(
      http.get('*/api/auth/profile/tanvir', () =>
        down ? HttpResponse.json({ message: 'No.', code: 'invalid' }, { status: 400 }) : undefined,
      ),
    );
    const { user } = renderAt('/posts/p-1');
    expect(await screen.findByText(/The seller’s details could not be loaded/)).toBeVisible();
    down = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('96%')).toBeVisible();
  });

  it('enlarges its picture', async () => {
    const { user } = await open(aPost({ image: '/api/images/i-1' }));
    await user.click(screen.getByRole('button', { name: 'Enlarge the picture' }));
    const dialog = await screen.findByRole('dialog', { name: 'Cooking channel, 41,200 subscribers' });
    expect(within(dialog).getByRole('img')).toHaveAttribute('src', '/api/images/i-1');
  });

  it('enlarges the picture that was chosen of several, and turns to the others', async () => {
    const { user } = await open(aPost({ images: ['/api/images/i-1', '/api/images/i-2', '/api/images/i-3'] }));
    await user.click(screen.getByRole('button', { name: 'Enlarge the picture: 2 of 3' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Cooking channel, 41,200 subscribers' }));
    expect(dialog.getByRole('img')).toHaveAttribute('src', '/api/images/i-2');
    await user.click(dialog.getByRole('button', { name: 'Next picture' }));
    expect(dialog.getByRole('img', { name: /^Picture 3 of 3/ })).toHaveAttribute('src', '/api/images/i-3');
  });

  it('has its address copied', async () => {
    const { user, aside } = await open();
    const write = vi.spyOn(navigator.clipboard, 'writeText');
    await user.click(aside.getByRole('button', { name: /Copy link/ }));
    expect(write).toHaveBeenCalledWith('http://localhost:3000/posts/p-1');
  });
});

describe('Contact Me', () => {
  it('leads a visitor to the sign-up', async () => {
    const { aside } = await open();
    expect(aside.getByRole('link', { name: 'Contact Me' })).toHaveAttribute(
      'href',
      '/signup?redirect=%2Fposts%2Fp-1%3Fnext%3Dcontact',
    );
  });

  it('opens the chat with the seller about the post', async () => {
    signedInAs(nusrat);
    const bodies: unknown[] = [];
    server.use(
      http.post('*/api/messages/send-or-start', async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json({ message: 'User not found', code: 'not_found' }, { status: 404 });
      }),
    );
    const { user, aside } = await open();
    await user.click(aside.getByRole('button', { name: 'Contact Me' }));
    await waitFor(() => expect(bodies).toEqual([{ receiverId: 'u-tanvir', postId: 'p-1' }]));
  });

  it('is the way to the form for the seller himself, who reads what others did', async () => {
    signedInAs({ ...nusrat, ...tanvirParty });
    const { aside } = await open(aPost({ seen: 3 }));
    expect(aside.getByText('Seen 3 · Saved 0 · Asked 0')).toBeVisible();
    expect(aside.getByRole('link', { name: 'Edit post' })).toHaveAttribute('href', '/posts/edit/p-1');
    expect(aside.queryByRole('button', { name: 'Contact Me' })).toBeNull();
    expect(aside.getByText('This is your post.')).toBeVisible();
  });
});

it('that is not there says so and leads to the others', async () => {
  server.use(http.get('*/api/posts/:id', missing('Post not found')));
  renderAt('/posts/none');
  expect(await screen.findByRole('heading', { level: 1, name: 'Post not found' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Go to marketplace' })).toHaveAttribute('href', '/explore');
});
