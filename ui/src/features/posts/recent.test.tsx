import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { claimStorage, RECENT_POSTS } from '@/lib/storage-owner';
import { closePage } from '@/testing/deals';
import { aListing, aPost, aProfile, tanvirParty } from '@/testing/posts';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

const GONE = 'p-gone';

beforeEach(() => {
  server.use(
    http.get('*/api/posts/public', () => HttpResponse.json(aListing([aPost({ title: 'Listed' })]))),
    http.get('*/api/posts/saved/ids', () => HttpResponse.json([])),
    http.get('*/api/auth/profile/tanvir', () => HttpResponse.json(aProfile())),
    http.get('*/api/posts/:id', ({ params: { id } }) =>
      id === GONE
        ? HttpResponse.json({ message: 'Post not found', code: 'not_found' }, { status: 404 })
        : HttpResponse.json(aPost({ _id: String(id), title: `Channel ${String(id)}` })),
    ),
  );
});

async function look(id: string) {
  renderAt(`/posts/${id}`);
  await screen.findByRole('heading', { level: 1, name: id === GONE ? 'Post not found' : `Channel ${id}` });
  closePage();
}

const row = () => screen.findByRole('region', { name: 'Recently seen' });
const hrefs = async () =>
  within(await row())
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'));

function keep(owner: string, ids: string[]) {
  const posts = ids.map((_id) => aPost({ _id, title: `Channel ${_id}` }));
  localStorage.setItem(RECENT_POSTS, JSON.stringify({ owner, posts }));
}

describe('posts seen recently', () => {
  it('stand under the marketplace, the last one first, each once, until they are cleared', async () => {
    for (const id of ['p-1', 'p-2', 'p-1']) await look(id);
    const { user } = renderAt('/explore');
    expect(await hrefs()).toEqual(['/posts/p-1', '/posts/p-2']);
    expect(within(await row()).getByRole('link', { name: /Channel p-2 ?\$480/ })).toBeVisible();
    await user.click(within(await row()).getByRole('button', { name: 'Clear' }));
    expect(screen.queryByRole('region', { name: 'Recently seen' })).toBeNull();
    expect(localStorage.getItem(RECENT_POSTS)).toBeNull();
  });

  it('are twelve at most, and come from other tabs', async () => {
    renderAt('/explore');
    await screen.findByRole('link', { name: /Listed/ });
    keep(
      '',
      Array.from({ length: 12 }, (_, index) => `p-${index}`),
    );
    window.dispatchEvent(new StorageEvent('storage', { key: RECENT_POSTS }));
    expect(await hrefs()).toHaveLength(12);
    closePage();
    await look('p-new');
    renderAt('/explore');
    expect(await hrefs()).toEqual(
      ['p-new', 'p-0', 'p-1', 'p-2', 'p-3', 'p-4', 'p-5', 'p-6', 'p-7', 'p-8', 'p-9', 'p-10'].map((id) => `/posts/${id}`),
    );
  });

  it('lose one that is gone when it is opened', async () => {
    keep('', [GONE, 'p-1']);
    await look(GONE);
    renderAt('/explore');
    expect(await hrefs()).toEqual(['/posts/p-1']);
  });

  it('have no posts of the reader, and give way to a filter', async () => {
    signedInAs({ ...nusrat, ...tanvirParty });
    await look('p-1');
    expect(localStorage.getItem(RECENT_POSTS)).toBeNull();
    keep(tanvirParty._id, ['p-1']);
    const { router } = renderAt('/explore');
    expect(await hrefs()).toEqual(['/posts/p-1']);
    await router.navigate({ to: '/explore', search: { category: 'Online Asset' } });
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Recently seen' })).toBeNull());
  });

  it('are shown to nobody else and removed for the next user', async () => {
    keep('u-other', ['p-1']);
    renderAt('/explore');
    await screen.findByRole('link', { name: /Listed/ });
    expect(screen.queryByRole('region', { name: 'Recently seen' })).toBeNull();
    claimStorage(nusrat._id);
    expect(localStorage.getItem(RECENT_POSTS)).toBeNull();
  });
});
