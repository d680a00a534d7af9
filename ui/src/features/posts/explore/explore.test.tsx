import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { setLanguage } from '@/i18n';
import { aListing, aPost } from '@/testing/posts';
import { alertSays, renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';
import { pageList } from './explore-page';

let asked: Record<string, string>[];

/** A marketplace with one post per page, whose title tells the request. */
function marketplace(totalPages: number) {
  asked = [];
  let orders = 0;
  server.use(
    http.get('*/api/posts/public', ({ request }) => {
      const query = Object.fromEntries(new URL(request.url).searchParams);
      asked.push(query);
      const seed = query.seed ?? `seed-${++orders}`;
      const page = Number(query.page ?? 1);
      const found =
        page <= totalPages ? [aPost({ _id: `p-${page}`, title: `${seed} page ${page} ${query.search ?? ''}`.trim() })] : [];
      return HttpResponse.json(aListing(found, { totalPages, currentPage: page, seed }));
    }),
  );
}

const card = (name: RegExp) => screen.findByRole('link', { name });
const A_SEED = expect.stringMatching(/^seed-\d$/) as string;
const pager = () => within(screen.getByRole('navigation', { name: 'Pages of posts' }));

beforeEach(() => marketplace(9));

describe('a card', () => {
  it('says what it is, whose and from what price, and opens in a new tab', async () => {
    renderAt('/explore?seed=seed-1');
    const link = await card(/seed-1 page 1/);
    expect(link).toHaveAttribute('href', '/posts/p-1');
    expect(link).toHaveAttribute('target', '_blank');
    expect(link).toHaveAttribute('rel', 'noopener');
    await waitFor(() =>
      expect(link).toHaveTextContent('YouTube Channelseed-1 page 1tanvirFrom $480 ≈ ৳59,040opens in a new tab'),
    );
  });

  it('says what matters of the post, and how its seller is rated', async () => {
    const facts = { monetised: true, niche: 'Cooking', subscribers: 12400 };
    const seller = { averageRating: 4.8, ratingCount: 21, completedDeals: 1000 };
    server.use(
      http.get('*/api/posts/public', () =>
        HttpResponse.json(aListing([aPost({ facts, headline: ['subscribers', 'monetised'], seller, title: 'Seen' })])),
      ),
    );
    renderAt('/explore');
    const link = await card(/Seen/);
    expect(link).toHaveTextContent('YouTube Channel · 12,400 subscribers · Monetised');
    expect(link).toHaveTextContent('4.8 of 5 from 21 reviews');
    expect(link).toHaveTextContent('1,000+ deals');
  });

  it('asks for its picture in the width of the screen, and has a label where there is none', async () => {
    server.use(
      http.get('*/api/posts/public', () =>
        HttpResponse.json(aListing([aPost({ image: '/api/images/i-1', title: 'Seen' }), aPost({ _id: 'p-2', title: 'Unseen' })])),
      ),
    );
    renderAt('/explore');
    const picture = (await card(/Seen/)).querySelector('img');
    expect(picture).toHaveAttribute('srcset', expect.stringContaining('/api/images/i-1?w=320 320w'));
    expect(picture).toHaveAttribute('loading', 'eager');
    expect((await card(/Unseen/)).querySelector('[data-slot="picture-label"]')).toHaveTextContent('YouTube Channel');
  });
});

describe('the pages', () => {
  it('keep the seed of the first answer, and Back leads to the same posts', async () => {
    const { router, user } = renderAt('/explore');
    await card(/seed-\d page 1/);
    await waitFor(() => expect(router.state.location.search).toEqual({ seed: A_SEED }));
    const { seed } = router.state.location.search;
    await card(new RegExp(`${seed} page 1`));
    await user.click(pager().getByRole('link', { name: 'Next' }));
    await card(new RegExp(`${seed} page 2`));
    await user.click(pager().getByRole('link', { name: 'Page 9' }));
    await card(new RegExp(`${seed} page 9`));
    expect(router.state.location.search).toEqual({ seed, page: 9 });
    router.history.back();
    await card(new RegExp(`${seed} page 2`));
    router.history.back();
    await card(new RegExp(`${seed} page 1`));
    // Back shows what is in the cache.
    expect(asked.filter((query) => query.seed !== undefined)).toEqual([
      { page: '2', seed },
      { page: '9', seed },
    ]);
  });

  it('are the first, this one and its neighbours, and the last', async () => {
    renderAt('/explore?page=5');
    await card(/page 5/);
    const items = pager().getAllByRole('listitem');
    expect(items.map((item) => item.textContent)).toEqual(['1', '…', '4', '5', '6', '…', '9']);
    expect(pager().getByRole('link', { current: 'page' })).toHaveTextContent('5');
  });

  it('have no way before the first and after the last', async () => {
    marketplace(2);
    const { user } = renderAt('/explore');
    await card(/page 1/);
    expect(pager().getByRole('link', { name: 'Prev' })).toHaveAttribute('aria-disabled', 'true');
    await user.click(pager().getByRole('link', { name: 'Next' }));
    await card(/page 2/);
    expect(pager().getByRole('link', { name: 'Next' })).toHaveAttribute('aria-disabled', 'true');
    expect(pager().getByRole('link', { name: 'Prev' })).not.toHaveAttribute('aria-disabled');
  });

  it('have a new order for who opens the marketplace anew', async () => {
    const { router } = renderAt('/explore');
    await waitFor(() => expect(router.state.location.search).toEqual({ seed: A_SEED }));
    const { seed } = router.state.location.search;
    await router.navigate({ to: '/explore', search: {} });
    await waitFor(() => expect(router.state.location.search).toEqual({ seed: A_SEED }));
    expect(router.state.location.search.seed).not.toBe(seed);
    await card(new RegExp(`${router.state.location.search.seed} page 1`));
  });
});

describe('the search', () => {
  it('waits for a pause, is in the address and starts at the first page', async () => {
    const { router, user } = renderAt('/explore?page=3&seed=seed-0');
    await card(/seed-0 page 3/);
    await user.type(screen.getByRole('searchbox', { name: 'Search posts' }), 'tea ');
    await card(/page 1 tea/);
    expect([...new Set(asked.map(({ search }) => search))]).toEqual([undefined, 'tea']);
    expect(router.state.location.search).toEqual({ search: 'tea', seed: 'seed-1' });
    expect(screen.getByRole('searchbox')).toHaveValue('tea ');
  });

  it('goes at once with Enter, and Back takes its words out again', async () => {
    const { router, user } = renderAt('/explore?seed=seed-0');
    await card(/seed-0/);
    await user.type(screen.getByRole('searchbox'), 'tea{Enter}');
    await card(/tea/);
    expect(screen.getByRole('searchbox')).toHaveValue('tea');
    router.history.back();
    await card(/seed-0 page 1$|seed-0 page 1opens|seed-0 page 1 ?tanvir/);
    await waitFor(() => expect(screen.getByRole('searchbox')).toHaveValue(''));
  });

  it('is cleared by its button', async () => {
    const { router, user } = renderAt('/explore?search=tea');
    await card(/tea/);
    await user.click(screen.getByRole('button', { name: 'Clear the search' }));
    await waitFor(() => expect(router.state.location.search).toEqual({ seed: A_SEED }));
    expect(screen.getByRole('searchbox')).toHaveValue('');
  });

  it('that finds nothing says so and leads to everything', async () => {
    marketplace(0);
    const { router, user } = renderAt('/explore?search=xyz');
    expect(await screen.findByText('No posts found.', { selector: 'p' })).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Show all posts' }));
    await waitFor(() => expect(router.state.location.search).not.toHaveProperty('search'));
  });
});

describe('the categories', () => {
  const categories = () => within(screen.getByRole('navigation', { name: 'Category' }));

  it('filter, keep the words, and mark the chosen one', async () => {
    const { router, user } = renderAt('/explore?search=tea');
    await card(/tea/);
    expect(categories().getByRole('link', { current: 'page' })).toHaveTextContent('All');
    await user.click(categories().getByRole('link', { name: 'Physical Product' }));
    await waitFor(() => expect(asked.at(-1)).toEqual({ page: '1', search: 'tea', category: 'Physical Product' }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ search: 'tea', category: 'Physical Product' }));
    expect(categories().getByRole('link', { current: 'page' })).toHaveTextContent('Physical Product');
  });

  it('offer their subcategories, of which one narrows the list', async () => {
    const { router, user } = renderAt('/explore?category=Freelance%20Service');
    await card(/page 1/);
    const subs = within(screen.getByRole('navigation', { name: 'Subcategory' }));
    expect(subs.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'Logo Design',
      'Web Development',
      'Writing',
      'Marketing',
    ]);
    await user.click(subs.getByRole('link', { name: 'Writing' }));
    await waitFor(() => expect(asked.at(-1)).toEqual({ category: 'Freelance Service', subcategory: 'Writing' }));
    expect(subs.getByRole('link', { current: 'page' })).toHaveTextContent('Writing');
    await user.click(subs.getByRole('link', { name: 'Writing' }));
    await waitFor(() => expect(router.state.location.search).not.toHaveProperty('subcategory'));
  });
});

describe('the filters', () => {
  /** Pages of a filtered listing, by their cursors. */
  function filteredPages(pages: Record<string, { titles: string[]; next: string | null }>, more: object = {}) {
    asked = [];
    server.use(
      http.get('*/api/posts/public', ({ request }) => {
        const query = Object.fromEntries(new URL(request.url).searchParams);
        asked.push(query);
        const { titles, next } = pages[query.cursor ?? ''] ?? { titles: [], next: null };
        const found = titles.map((title) => aPost({ _id: title, title }));
        return HttpResponse.json(aListing(found, { seed: '', total: query.cursor ? null : 13, next, ...more }));
      }),
    );
  }

  it('are chosen in a sheet, stand in the address, and can be removed one by one', async () => {
    filteredPages({ '': { titles: ['Tea channel'], next: null } });
    const { router, user } = renderAt('/explore?search=tea');
    await user.click(await screen.findByRole('button', { name: 'Filters' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Filters' }));
    await user.click(sheet.getByRole('button', { name: 'YouTube Channel' }));
    await user.click(within(sheet.getByRole('group', { name: 'Monetised' })).getByRole('button', { name: 'Yes' }));
    await user.type(sheet.getByLabelText('Subscribers: from'), '১০০০');
    await user.type(sheet.getByLabelText('Price up to'), '500');
    await user.click(sheet.getByRole('button', { name: 'Cheapest first' }));
    await user.click(sheet.getByRole('button', { name: 'Show posts' }));
    await card(/Tea channel/);
    expect(asked.at(-1)).toEqual({
      ...{ search: 'tea', category: 'Online Asset', subcategory: 'YouTube Channel', sort: 'price', max: '500' },
      facts: 'subscribers:1000..,monetised:true',
    });
    expect(screen.getByRole('heading', { name: '13 posts' })).toBeInTheDocument();
    const active = within(screen.getByRole('list', { name: 'Filters in use' }));
    expect(active.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'YouTube Channel',
      'Up to $500',
      'Subscribers from 1,000',
      'Monetised: Yes',
      'Cheapest first',
    ]);
    await user.click(active.getByRole('link', { name: 'Remove Monetised: Yes' }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ facts: 'subscribers:1000..', max: 500 }));
    await user.click(screen.getByRole('link', { name: 'Remove YouTube Channel' }));
    await waitFor(() =>
      expect(router.state.location.search).toEqual({ search: 'tea', category: 'Online Asset', max: 500, sort: 'price' }),
    );
  });

  it('go on over pages without matches, and show more on demand', async () => {
    const twelve = Array.from({ length: 12 }, (_, index) => `Post ${index}`);
    filteredPages({ '': { titles: [], next: 'a' }, a: { titles: twelve, next: 'b' }, b: { titles: ['The last'], next: null } });
    const { user } = renderAt('/explore?sort=newest');
    await card(/Post 11/);
    expect([...new Set(asked.map(({ cursor }) => cursor))]).toEqual([undefined, 'a']);
    await user.click(screen.getByRole('button', { name: 'Show 1 more' }));
    await card(/The last/);
    expect(screen.queryByRole('button', { name: /more/ })).toBeNull();
  });

  it('that nothing fits say what to do', async () => {
    filteredPages({}, { total: 0 });
    renderAt('/explore?max=1');
    expect(await screen.findByText('Nothing fits all filters. Remove one of them above.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Remove Up to $1' })).toBeVisible();
  });
});

it('shows posts with similar words where nothing has the searched ones', async () => {
  server.use(
    http.get('*/api/posts/public', () => HttpResponse.json(aListing([aPost({ title: 'Facebook page' })], { similar: true }))),
  );
  renderAt('/explore?search=facbook');
  await card(/Facebook page/);
  expect(screen.getByText('Nothing has “facbook”. These posts are close.')).toBeVisible();
});

it('without posts asks for the first one', async () => {
  marketplace(0);
  signedInAs(nusrat);
  renderAt('/explore');
  expect(await screen.findByRole('link', { name: 'Create a post' })).toHaveAttribute('href', '/posts/create');
});

it('that cannot be loaded says so, and Retry loads it', async () => {
  server.use(http.get('*/api/posts/public', () => HttpResponse.json({ message: 'No.', code: 'invalid' }, { status: 400 })));
  const { user } = renderAt('/explore');
  await alertSays('No.');
  marketplace(1);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await card(/page 1/);
});

it('is there in Bangla', async () => {
  await setLanguage('bn');
  renderAt('/explore?seed=seed-1');
  const link = await card(/seed-1/);
  await waitFor(() => expect(link).toHaveTextContent('শুরুর দাম $৪৮০ ≈ ৳৫৯,০৪০'));
  expect(link).toHaveTextContent('ইউটিউব চ্যানেল');
  const pages = within(screen.getByRole('navigation', { name: 'পোস্টের পেজ' }));
  expect(pages.getByRole('link', { current: 'page' })).toHaveTextContent('১');
});

it.each([
  [1, 1, [1]],
  [1, 2, [1, 2]],
  [1, 35, [1, 2, null, 35]],
  [3, 35, [1, 2, 3, 4, null, 35]],
  [4, 35, [1, 2, 3, 4, 5, null, 35]],
  [17, 35, [1, null, 16, 17, 18, null, 35]],
  [33, 35, [1, null, 32, 33, 34, 35]],
  [35, 35, [1, null, 34, 35]],
  // The address may have a page that no longer exists.
  [9, 3, [1, 2, 3]],
])('page %i of %i shows %j', (page, pages, expected) => {
  expect(pageList(page, pages)).toEqual(expected);
});
