import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RateChange } from '@/api/contract';
import { addDays, dhakaDay } from '@/lib/time';
import { renderAt } from '@/testing/render';
import { server } from '@/testing/server';
import { anOpenDeal, aQueuedDeposit, bareList, dealQueues, queues, refusal } from '../fixtures';
import { axisTicks, bucketsOf, drawnRange, shortFigure, sumOf } from './buckets';
import type { AllSeries } from './queries';

const TODAY = dhakaDay(Date.now());

const aRate = (usdToBdt: number, setAt: string, by: string | null = 'nadia'): RateChange => ({
  usdToBdt,
  setAt,
  setBy: by === null ? null : { _id: 'u-x', username: by, profilePic: '', isStaff: false },
});

/** Serves large totals without a range, and 1 and 5.00 in any; records the requests. */
function figures(rates: RateChange[] = []) {
  const asked: URLSearchParams[] = [];
  const total = (path: string, field: string, lifetime: number, ranged: number) =>
    http.get(`*/api/admin/${path}`, ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query);
      return HttpResponse.json({ [field]: query.size === 0 ? lifetime : ranged });
    });
  server.use(
    total('total-users', 'totalUsers', 1234, 1),
    total('total-deals', 'totalDeals', 56, 2),
    total('total-deposits', 'totalDepositAmount', 9840.5, 5),
    total('total-withdraw-amount', 'totalWithdrawAmount', 120, 0),
    total('platform-earnings', 'totalEarnings', 19.68, 0.1),
    http.get('*/api/admin/series', ({ request }) => {
      const query = new URL(request.url).searchParams;
      const [startDate, endDate] = [query.get('startDate') ?? '', query.get('endDate') ?? ''];
      const days = [];
      for (let date = startDate; date <= endDate; date = addDays(date, 1)) {
        days.push({ date, count: date === TODAY ? 3 : 0, amount: date === TODAY && query.get('of') === 'deposits' ? 480.25 : 0 });
      }
      return HttpResponse.json({ of: query.get('of'), startDate, endDate, days });
    }),
    http.get('*/api/admin/exchange-rates', ({ request }) => bareList(rates, request)),
  );
  return asked;
}

const valueOf = (label: string) => screen.getByText(label).closest('dl');

beforeEach(() => {
  queues([aQueuedDeposit(), aQueuedDeposit({ _id: 'dep-2' })]);
  figures();
});

describe('the totals', () => {
  it('are where the admin area begins, for all time', async () => {
    const { router } = renderAt('/admin');
    expect(await screen.findByText('1,234')).toBeVisible();
    expect(router.state.location.pathname).toBe('/admin/dashboard');
    expect(valueOf('Total deposits')).toHaveTextContent('$9,840.50');
    expect(valueOf('Total withdrawals')).toHaveTextContent('$120.00');
    expect(valueOf('Platform earnings')).toHaveTextContent('$19.68');
  });

  it('count the days in Dhaka that are chosen, which the address keeps', async () => {
    const asked = figures();
    const { user, router } = renderAt('/admin/dashboard');
    await user.click(await screen.findByRole('button', { name: '7 days' }));
    await waitFor(() => expect(valueOf('Total users')).toHaveTextContent('1signed up'));
    expect(router.state.location.search).toEqual({ days: 7 });
    expect(Object.fromEntries(asked.at(-1) ?? [])).toEqual({ startDate: addDays(TODAY, -6) });
    expect(screen.getByRole('button', { name: '7 days' })).toHaveAttribute('aria-pressed', 'true');
    await user.click(screen.getByRole('button', { name: 'Lifetime' }));
    expect(await screen.findByText('1,234')).toBeVisible();
    expect(router.state.location.search).toEqual({});
  });

  it('take a range of one’s own', async () => {
    const asked = figures();
    const { user, router } = renderAt('/admin/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Custom' }));
    await user.type(screen.getByLabelText('First day'), '2026-02-10');
    await user.type(screen.getByLabelText('Last day'), '2026-02-11');
    await user.click(screen.getByRole('button', { name: 'Show' }));
    await waitFor(() => expect(valueOf('Total users')).toHaveTextContent('1signed up'));
    expect(router.state.location.search).toEqual({ from: '2026-02-10', to: '2026-02-11' });
    expect(Object.fromEntries(asked.at(-1) ?? [])).toEqual({ startDate: '2026-02-10', endDate: '2026-02-11' });
  });

  it('say why they are not there, and are asked for again', async () => {
    server.use(http.get('*/api/admin/total-deals', refusal(409, 'conflict', 'The books are closed.')));
    const { user } = renderAt('/admin/dashboard');
    expect(await screen.findByText('Error: The books are closed.')).toBeVisible();
    figures();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('1,234')).toBeVisible();
  });
});

it('what waits leads to its queue', async () => {
  const { user, router } = renderAt('/admin/dashboard');
  const waits = within(await screen.findByRole('region', { name: 'Needs attention' }));
  expect(await waits.findByRole('link', { name: 'Deposits oldest 46 min 2' })).toBeVisible();
  expect(await waits.findByRole('link', { name: 'Withdrawals all clear' })).toBeVisible();
  await user.click(waits.getByRole('link', { name: /^Deals to decide/ }));
  await waitFor(() => expect(router.state.location.href).toBe('/admin/deals?tab=decide'));
});

it('what waits for a decision says for how long', async () => {
  const escalatedAt = new Date(Date.now() - 90 * 60_000).toISOString();
  dealQueues([anOpenDeal({ escalated: true, escalatedAt })]);
  const { user } = renderAt('/admin/dashboard');
  const waits = within(await screen.findByRole('region', { name: 'Needs attention' }));
  await user.click(await waits.findByRole('link', { name: 'Deals to decide oldest 1 h 30 min 1' }));
  expect(await screen.findByText('Oldest')).toBeVisible();
  await waitFor(() => expect(screen.getAllByText('1 h 30 min')).toHaveLength(2));
  const tabs = within(screen.getByRole('navigation', { name: 'Status' }));
  expect(tabs.getAllByRole('link', { current: 'page' })).toEqual([tabs.getByRole('link', { name: /^To decide/ })]);
});

describe('the charts', () => {
  it('have their figures in a table', async () => {
    renderAt(`/admin/dashboard?from=${addDays(TODAY, -1)}&to=${TODAY}`);
    const table = await screen.findByRole('table', { name: 'Trends', hidden: true });
    const rows = within(table).getAllByRole('row', { hidden: true });
    expect(rows[2]).toHaveTextContent(/\$480\.25\$0\.00\$0\.003$/);
    expect(rows).toHaveLength(3);
    expect(screen.getByText('No withdrawals in this period.')).toBeVisible();
  });

  it('say why they are not there', async () => {
    server.use(http.get('*/api/admin/series', refusal(409, 'conflict', 'No figures now.')));
    renderAt('/admin/dashboard');
    expect(await screen.findByText('Error: No figures now.')).toBeVisible();
  });
});

describe('the exchange rate', () => {
  it('shows how it changed, and is set from here', async () => {
    figures([aRate(123, '2026-11-20T04:00:00Z'), aRate(120, '2026-11-10T04:00:00Z', null)]);
    const { user } = renderAt('/admin/dashboard');
    const rows = within(await screen.findByRole('table', { name: 'History of the exchange rate' })).getAllByRole('row');
    expect(rows[1]).toHaveTextContent('by nadia৳123up 2.5%');
    expect(rows[2]).toHaveTextContent('by the operator৳120first rate');
    await user.click(screen.getByRole('button', { name: 'Set rate' }));
    expect(await screen.findByRole('dialog', { name: 'Exchange rate' })).toBeVisible();
  });
});

/** A series of days with 0.10 and one deal on each day from index `from` on. */
function series(days: number, last: string, from = 0): AllSeries {
  const one = (of: AllSeries['deals']['of']) => ({
    of,
    startDate: addDays(last, 1 - days),
    endDate: last,
    days: Array.from({ length: days }, (_, index) => ({
      date: addDays(last, 1 - days + index),
      count: index < from ? 0 : 1,
      amount: index < from ? 0 : 0.1,
    })),
  });
  return { deposits: one('deposits'), withdrawals: one('withdrawals'), earnings: one('earnings'), deals: one('deals') };
}

describe('bucketsOf', () => {
  it.each([
    [1, 'day', 1],
    [31, 'day', 31],
    [32, 'week', 5],
    [120, 'week', 18],
    [121, 'month', 5],
  ])('draws %i days by %s in %i bars, and loses nothing', (days, unit, bars) => {
    const drawn = bucketsOf(series(days, '2026-05-31'), false);
    expect([drawn.unit, drawn.buckets.length]).toEqual([unit, bars]);
    expect(sumOf(drawn.buckets, 'deals')).toBe(days);
    expect(sumOf(drawn.buckets, 'deposits')).toBe(Math.round(days * 10) / 100);
    expect(drawn.buckets[0]?.from).toBe(addDays('2026-05-31', 1 - days));
    expect(drawn.buckets.at(-1)?.to).toBe('2026-05-31');
  });

  it('begins where something happened when there is more before, with a week at least', () => {
    const young = bucketsOf(series(360, '2026-05-31', 350), true);
    expect([young.unit, young.buckets.length, young.whole]).toEqual(['day', 10, true]);
    expect(bucketsOf(series(360, '2026-05-31', 358), true).buckets).toHaveLength(7);
    expect(bucketsOf(series(360, '2026-05-31', 360), true).buckets).toHaveLength(7);
    expect(bucketsOf(series(360, '2026-05-31'), true).whole).toBe(false);
    expect(bucketsOf(series(360, '2026-05-31', 350), false).unit).toBe('month');
  });
});

describe('drawnRange', () => {
  it('is the range itself, or whole months up to its end', () => {
    const range = { from: '2026-01-01', to: '2026-05-31' };
    expect(drawnRange(range)).toEqual({ range, cut: false });
    const long = { range: { from: '2025-07-01', to: '2026-05-31' }, cut: true };
    expect(drawnRange({ to: '2026-05-31' })).toEqual(long);
    expect(drawnRange({ from: '2020-01-01', to: '2026-05-31' })).toEqual(long);
    expect(drawnRange({}).range.to).toBe(TODAY);
    expect(drawnRange({ from: '2999-01-01' }).range).toEqual({ from: '2999-01-01', to: '2999-01-01' });
  });
});

describe('axisTicks', () => {
  it.each([
    [0, ['$0', '$1']],
    [100, ['$0', '$25', '$50', '$75', '$100']],
    [105, ['$0', '$50', '$100', '$150']],
    [1_040, ['$0', '$500', '$1K', '$1.5K']],
    [9_600, ['$0', '$2.5K', '$5K', '$7.5K', '$10K']],
    [0.36, ['$0', '$0.1', '$0.2', '$0.3', '$0.4']],
  ])('up to %d dollars are round sums', (highest, ticks) =>
    expect(axisTicks('deposits', highest).map((tick) => shortFigure('deposits', tick))).toEqual(ticks),
  );

  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [10, [0, 5, 10]],
    [97, [0, 25, 50, 75, 100]],
  ])('up to %d deals are whole', (highest, ticks) => expect(axisTicks('deals', highest)).toEqual(ticks));
});
