import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Post, SavedSearch } from '@/api/contract';
import { aListing, aPost, aProfile } from '@/testing/posts';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

const created = { _id: nusrat._id, username: nusrat.username, profilePic: '', isStaff: false };
const posts = [aPost(), aPost({ _id: 'p-2', title: 'A logo' }), aPost({ _id: 'p-3', title: 'Mine', createdBy: created })];
let saved: string[];
let calls: string[];

const row = (post: Post) => ({ ...post, savedPrice: 500, savedAt: '2026-11-08T04:02:00Z' });

beforeEach(() => {
  saved = ['p-2'];
  calls = [];
  server.use(
    http.get('*/api/posts/public', () => HttpResponse.json(aListing(posts))),
    http.get('*/api/posts/saved/ids', () => HttpResponse.json(saved)),
    http.get('*/api/posts/saved', () => {
      const rows = posts.filter(({ _id }) => saved.includes(_id)).map(row);
      return HttpResponse.json(rows, { headers: { 'X-Total-Count': String(rows.length) } });
    }),
    http.get('*/api/posts/:id', ({ params }) => HttpResponse.json(posts.find(({ _id }) => _id === params.id))),
    http.get('*/api/auth/profile/:username', () => HttpResponse.json(aProfile())),
    ...(['put', 'delete'] as const).map((method) =>
      http[method]('*/api/posts/:id/saved', ({ params }) => {
        calls.push(`${method} ${String(params.id)}`);
        saved = method === 'put' ? [String(params.id), ...saved] : saved.filter((id) => id !== params.id);
        return HttpResponse.json({ message: 'Done' });
      }),
    ),
  );
});

const heart = (title: string) => screen.findByRole('button', { name: `Save ${title}` });

describe('the heart', () => {
  it('saves a post of a list and takes it back, and is not on one’s own', async () => {
    signedInAs(nusrat);
    const { user } = renderAt('/explore');
    expect(await screen.findByRole('button', { name: 'Save A logo', pressed: true })).toBeVisible();
    const button = await heart(posts[0]?.title ?? '');
    expect(button).toHaveAttribute('aria-pressed', 'false');
    await user.click(button);
    expect(button).toHaveAttribute('aria-pressed', 'true');
    await user.click(button);
    expect(button).toHaveAttribute('aria-pressed', 'false');
    await expect.poll(() => calls).toEqual(['put p-1', 'delete p-1']);
    expect(screen.queryByRole('button', { name: 'Save Mine' })).toBeNull();
  });

  it('is empty again when the server refuses', async () => {
    signedInAs(nusrat);
    server.use(
      http.put('*/api/posts/:id/saved', () =>
        HttpResponse.json(
          { code: 'conflict', reason: 'too_many_saved', message: 'You can save up to 500 posts.' },
          { status: 409 },
        ),
      ),
    );
    const { user } = renderAt('/posts/p-1');
    const button = await screen.findByRole('button', { name: 'Save' });
    await user.click(button);
    await expect.poll(() => notices.length).toBe(1);
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false');
  });

  it('leads visitors to the login and back', async () => {
    const { user, router } = renderAt('/explore');
    await user.click(await heart('A logo'));
    await expect.poll(() => router.state.location.href).toBe('/login?redirect=%2Fposts%2Fp-2%3Fnext%3Dsave');
  });
});

describe('Saved posts', () => {
  it('has what was saved with the price before, and keeps what is removed until it is opened again', async () => {
    signedInAs(nusrat);
    const { user } = renderAt('/saved');
    const full = await screen.findByRole('button', { name: 'Save A logo', pressed: true });
    const card = within(full.closest('li') ?? document.body);
    expect(card.getByText('was $500')).toBeVisible();
    await user.click(full);
    expect(card.getByRole('button', { pressed: false })).toBeVisible();
    await expect.poll(() => calls).toEqual(['delete p-2']);
  });

  it('says when there are none', async () => {
    signedInAs(nusrat);
    saved = [];
    renderAt('/saved');
    expect(await screen.findByText('You have no saved posts.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to marketplace' })).toHaveAttribute('href', '/explore');
  });
});

describe('Saved searches', () => {
  const search = (changes: Partial<SavedSearch> = {}): SavedSearch => ({
    ...{ _id: 's-1', search: 'Tea', category: 'Online Asset', subcategory: 'YouTube Channel', min: null, max: 500 },
    ...{ facts: 'subscribers:1000..,monetised:true', frequency: 'daily', createdAt: '2026-11-08T04:02:00Z' },
    ...changes,
  });
  const ADDRESS =
    '/explore?search=tea&category=Online%20Asset&subcategory=YouTube%20Channel&max=500&facts=monetised:true,subscribers:1000..&sort=price';
  let searches: SavedSearch[];

  beforeEach(() => {
    signedInAs(nusrat);
    searches = [];
    server.use(
      http.get('*/api/posts/saved/searches', () => HttpResponse.json(searches)),
      http.put('*/api/posts/saved/searches', ({ request }) => {
        const query = new URL(request.url).searchParams;
        calls.push(`put ${query.toString()}`);
        const made = search({ search: query.get('search') ?? '' });
        searches = [made, ...searches];
        return HttpResponse.json(made);
      }),
      http.patch('*/api/posts/saved/searches/:id', async ({ request, params }) => {
        const { frequency } = (await request.json()) as SavedSearch;
        calls.push(`patch ${String(params.id)} ${frequency}`);
        return HttpResponse.json(search({ frequency }));
      }),
      http.delete('*/api/posts/saved/searches/:id', ({ params }) => {
        calls.push(`delete ${String(params.id)}`);
        return HttpResponse.json({ message: 'Done' });
      }),
    );
  });

  it('are saved and removed where words or a filter are set', async () => {
    const { user, router } = renderAt(ADDRESS);
    const bell = await screen.findByRole('button', { name: 'Save this search', pressed: false });
    await user.click(bell);
    await expect.poll(() => bell.getAttribute('aria-pressed')).toBe('true');
    await expect
      .poll(() => calls)
      .toEqual([
        `put ${new URLSearchParams({
          ...{ search: 'tea', category: 'Online Asset', subcategory: 'YouTube Channel', max: '500' },
          facts: 'monetised:true,subscribers:1000..',
        }).toString()}`,
      ]);
    expect(await screen.findByRole('link', { name: 'Saved searches' })).toHaveAttribute('href', '/saved?tab=searches');
    await user.click(bell);
    await expect.poll(() => calls.at(-1)).toBe('delete s-1');
    await expect.poll(() => bell.getAttribute('aria-pressed')).toBe('false');
    await router.navigate({ to: '/explore', search: { sort: 'newest' } });
    await expect.poll(() => screen.queryByRole('button', { name: 'Save this search' })).toBeNull();
  });

  it('are refused in the words of the server', async () => {
    server.use(
      http.put('*/api/posts/saved/searches', () =>
        HttpResponse.json(
          { code: 'conflict', reason: 'too_many_searches', params: { count: 20 }, message: 'You can save up to 20 searches.' },
          { status: 409 },
        ),
      ),
    );
    const { user } = renderAt('/explore?search=tea');
    const bell = await screen.findByRole('button', { name: 'Save this search' });
    await user.click(bell);
    await expect.poll(() => notices.length).toBe(1);
    await expect.poll(() => bell.getAttribute('aria-pressed')).toBe('false');
  });

  it('are listed with their filters in words, how often we tell, and a way to remove them', async () => {
    searches = [search(), search({ _id: 's-2', search: '', max: 100, facts: '' })];
    const { user } = renderAt('/saved?tab=searches');
    const words = '“Tea” · Online Asset · YouTube Channel · Up to $500 · Subscribers from 1,000 · Monetised: Yes';
    const link = await screen.findByRole('link', { name: words });
    expect(new URL(link.getAttribute('href') ?? '', 'http://x').searchParams.get('sort')).toBe('newest');
    const often = screen.getByRole('combobox', { name: `How often: ${words}` });
    await user.selectOptions(often, 'Within 15 minutes');
    await expect.poll(() => calls).toEqual(['patch s-1 soon']);
    expect(often).toHaveValue('soon');
    const bell = screen.getByRole('button', { name: `Save the search ${words}`, pressed: true });
    await user.click(bell);
    await expect.poll(() => bell.getAttribute('aria-pressed')).toBe('false');
    await expect.poll(() => calls.at(-1)).toBe('delete s-1');
    expect(often).toBeDisabled();
    expect(screen.getAllByRole('combobox')).toHaveLength(2);
  });

  it('say when there are none', async () => {
    renderAt('/saved?tab=searches');
    expect(await screen.findByText('You have no saved searches.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Searches', current: 'page' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Posts', current: false })).toBeVisible();
  });
});

it('a visitor who saves a search is led to the login and back', async () => {
  const { user, router } = renderAt('/explore?search=tea&max=500');
  await user.click(await screen.findByRole('button', { name: 'Save this search' }));
  await expect.poll(() => router.state.location.search).toEqual({ redirect: '/explore?search=tea&max=500&next=save' });
});
