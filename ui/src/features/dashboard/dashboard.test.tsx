import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Standing } from '@/api/contract';
import { dealsAre, pageOf } from '@/testing/deal-lists';
import { renderAt } from '@/testing/render';
import { aDeal, nusrat, server, signedInAs, standing } from '@/testing/server';
import { monthsOf } from './completed-chart';

it('the months of the chart are those of the server, each at a moment that is in it everywhere', () => {
  expect(monthsOf([{ month: '2026-11', price: 140.5 }])).toEqual([{ at: Date.UTC(2026, 10, 15), sum: 140_50 }]);
});

describe('the dashboard', () => {
  let asked: string[];
  beforeEach(() => {
    asked = [];
    signedInAs(nusrat);
  });

  const serve = (answer: (query: URLSearchParams) => Standing) =>
    server.use(
      http.get('*/api/dashboard', ({ request }) => {
        const { search, searchParams } = new URL(request.url);
        asked.push(search);
        return HttpResponse.json(answer(searchParams));
      }),
    );

  it('shows active deals, level and reviews, and asks again for the chosen period', async () => {
    const reviewer = { _id: 'u-tanvir', username: 'tanvir', profilePic: '', isStaff: false };
    const review = { _id: 'r-1', reviewer, rating: 5, comment: 'Two days early.', createdAt: '2026-11-03T00:00:00Z' };
    const life = { ...standing, activeDeals: 3, totalPrice: 690, completedDeals: 12, finishedDeals: 13, successScore: 92 };
    serve((query) =>
      query.size === 0
        ? { ...life, averageRating: 4.8, ratingCount: 9, reviewCount: 9, reviews: [review] }
        : { ...life, finishedDeals: 12 },
    );
    const { router, user } = renderAt('/dashboard');
    expect(await screen.findByText('92%')).toBeVisible();
    expect(screen.getByText('$690.00')).toBeVisible();
    expect(screen.getByText('Total of your 3 active deals.')).toBeVisible();
    expect(screen.getByText('12 of 13 deals completed')).toBeVisible();
    expect(screen.getByText('4.8')).toBeVisible();
    expect(within(screen.getByRole('region', { name: 'Reviews you received' })).getByText('Two days early.')).toBeVisible();
    for (const [name, href] of [
      ['Profile', '/profile'],
      ['All transactions', '/balance'],
      ['All deals', '/deal'],
    ] as const)
      expect(within(screen.getByRole('main')).getByRole('link', { name })).toHaveAttribute('href', href);

    await user.click(screen.getByRole('button', { name: '30 days' }));
    // Instead of reviews, and under the rating.
    expect(await screen.findAllByText('No reviews in this period.')).toHaveLength(2);
    expect(screen.getByRole('button', { name: '30 days' })).toHaveAttribute('aria-pressed', 'true');
    expect(router.state.location.search).toEqual({ days: 30 });
    expect(asked.at(-1)).toMatch(/^\?from=\d{4}-\d\d-\d\d$/);
  });

  it('says of each deal what comes next and who has how much, as the deal itself does', async () => {
    serve(() => standing);
    const paid = { activatedAt: '2026-11-08T04:14:00Z' };
    const closed = { status: 'Cancelled', closedAt: '2026-11-09T04:14:00Z', price: 100, refund: 98 } as const;
    const selling = { buyer: aDeal().seller, seller: aDeal().buyer };
    const deals = [
      aDeal({ _id: 'd-1', ...paid, ...closed, description: 'Phone' }),
      aDeal({ _id: 'd-2', ...paid, ...selling, status: 'Active', cancellationRequested: true, description: 'Logo' }),
      aDeal({ _id: 'd-3', ...paid, ...selling, status: 'Active', description: 'Ebook' }),
      aDeal({ _id: 'd-4', ...paid, status: 'Late', exitAt: '2026-11-10T04:14:00Z', description: 'Website' }),
    ];
    dealsAre(...deals);
    renderAt('/dashboard');
    const rows = within(await screen.findByRole('table')).getAllByRole('row');
    const [phone, logo, ebook, website, foot] = rows.slice(1).map((row) => row.textContent);
    expect(phone).toContain('Closed 9 Nov98.00');
    expect(logo).toContain('Respond to the cancellation request');
    expect(ebook).toMatch(/Deliver by \d+ Nov/);
    expect(website).toContain('You can cancel for a full refund');
    expect(foot).toMatch(/USD98\.00/);
    const strips = screen.getAllByRole('img', { name: 'The buyer has $98.00' });
    expect(strips[0]?.firstElementChild).toHaveTextContent('$98.00');
  });

  it('has on a phone what one acts on, and the record folded', async () => {
    window.innerWidth = 360;
    serve(() => ({ ...standing, activeDeals: 1, totalPrice: 690 }));
    dealsAre(aDeal({ status: 'Active' }));
    const { user } = renderAt('/dashboard');
    expect(await screen.findByText('$690.00')).toBeVisible();
    expect(screen.queryByRole('table')).toBeNull();
    expect(screen.getByText('Success score')).not.toBeVisible();
    await user.click(screen.getByText('Your record'));
    expect(screen.getByText('Success score')).toBeVisible();
  });

  it('draws what was completed by month, and says of how many deals the foot is', async () => {
    serve(() => standing);
    dealsAre(
      ...Array.from({ length: 130 }, (_, index) => aDeal({ _id: `d-${index}`, status: 'Completed', price: 2, payout: 1 })),
    );
    const completed = ['2026-10', '2026-11'].map((month, index) => ({ month, price: 100 * index }));
    server.use(http.get('*/api/deals/totals', () => HttpResponse.json({ statuses: [], completed })));
    renderAt('/dashboard');
    expect(await screen.findByRole('img', { name: /October 2026 \$0, November 2026 \$100/ })).toBeVisible();
    const rows = within(screen.getByRole('table')).getAllByRole('row');
    expect(rows.at(-1)).toHaveTextContent(/^In the latest 6 deals, USD.*6\.00$/);
  });

  it('shows all reviews of the period in pages', async () => {
    const reviewer = { _id: 'u-tanvir', username: 'tanvir', profilePic: '', isStaff: false };
    const all = Array.from({ length: 23 }, (_, index) => ({
      ...{ _id: `r-${index}`, reviewer, rating: 5, comment: `Review ${index}`, createdAt: '2026-11-03T00:00:00Z' },
    }));
    serve(() => ({ ...standing, averageRating: 5, ratingCount: 23, reviewCount: 23, reviews: all.slice(0, 10) }));
    server.use(http.get('*/api/reviews', ({ request }) => pageOf(all, new URL(request.url))));
    const { user } = renderAt('/dashboard');
    const list = () => within(screen.getByRole('region', { name: /^Reviews you received/ })).queryAllByRole('listitem');
    await user.click(await screen.findByRole('button', { name: 'Show all 23' }));
    expect(list()).toHaveLength(10);
    await user.click(screen.getByRole('button', { name: 'Show 10 more' }));
    await user.click(await screen.findByRole('button', { name: 'Show 3 more' }));
    expect(await screen.findByText('Review 22')).toBeVisible();
    expect(list()).toHaveLength(23);
  });

  it('takes a range of one’s own, and none that runs backwards', async () => {
    serve(() => ({ ...standing, finishedDeals: 1 }));
    const { router, user } = renderAt('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Custom' }));
    await user.click(screen.getByRole('button', { name: 'Show' }));
    expect(screen.getByLabelText('First day')).toHaveAccessibleDescription('Choose a first or a last day.');
    await user.type(screen.getByLabelText('First day'), '2026-11-10');
    await user.type(screen.getByLabelText('Last day'), '2026-11-01');
    await user.click(screen.getByRole('button', { name: 'Show' }));
    expect(screen.getByLabelText('Last day')).toHaveAccessibleDescription('The last day must not be before the first.');
    expect(router.state.location.search).toEqual({});
    await user.clear(screen.getByLabelText('Last day'));
    await user.type(screen.getByLabelText('Last day'), '2026-11-20');
    await user.click(screen.getByRole('button', { name: 'Show' }));
    await screen.findByRole('button', { name: 'Custom', pressed: true });
    expect(router.state.location.search).toEqual({ from: '2026-11-10', to: '2026-11-20' });
    await waitFor(() => expect(asked.at(-1)).toBe('?from=2026-11-10&to=2026-11-20'));
  });

  it('shows the fields of a range as long as the address has one, Back and forth', async () => {
    serve(() => ({ ...standing, finishedDeals: 1 }));
    const { router, user } = renderAt('/dashboard?days=7');
    await user.click(await screen.findByRole('button', { name: 'Custom', expanded: false }));
    await user.type(screen.getByLabelText('First day'), '2026-11-10');
    await user.click(screen.getByRole('button', { name: 'Show' }));
    await screen.findByRole('button', { name: 'Custom', pressed: true, expanded: true });
    act(() => router.history.back());
    await screen.findByRole('button', { name: '7 days', pressed: true });
    expect(screen.queryByLabelText('First day')).toBeNull();
    act(() => router.history.forward());
    expect(await screen.findByLabelText('First day')).toHaveValue('2026-11-10');
    await user.click(screen.getByRole('button', { name: 'Lifetime' }));
    await screen.findByRole('button', { name: 'Lifetime', pressed: true });
    expect(screen.queryByLabelText('First day')).toBeNull();
  });

  it('has no choice of days while there is nothing to choose of', async () => {
    serve(() => standing);
    renderAt('/dashboard');
    expect(await screen.findByText('No finished deals yet.')).toBeVisible();
    expect(screen.queryByRole('button', { name: '30 days' })).toBeNull();
  });

  it('has the counts alone below five finished deals', async () => {
    serve(() => ({ ...standing, successScore: 75, completedDeals: 3, finishedDeals: 4 }));
    renderAt('/dashboard');
    expect(await screen.findByText('3 of 4 deals completed')).toBeVisible();
    expect(screen.queryByText(/75/)).toBeNull();
  });

  it('says what failed and asks again on Retry', async () => {
    let down = true;
    server.use(
      http.get('*/api/dashboard', () =>
        down
          ? HttpResponse.json({ message: 'No range.', code: 'invalid' }, { status: 400 })
          : HttpResponse.json({ ...standing, successScore: 100, completedDeals: 5, finishedDeals: 5 }),
      ),
    );
    const { user } = renderAt('/dashboard');
    const failure = await screen.findByText(/^Error: No range\./);
    expect(failure).toHaveRole('alert');
    expect(screen.getByRole('status', { name: 'Your balance' })).toHaveTextContent('$212.40');
    down = false;
    await user.click(within(failure).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('100%')).toBeVisible();
    expect(screen.queryByText(/^Error:/)).toBeNull();
  });
});
