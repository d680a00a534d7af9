import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { WalletHistory } from '@/api/contract';
import { setLanguage } from '@/i18n';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';
import { aMovement, aWalletHistory, histories } from '../fixtures';
import { chartOf, ruleAbove, summaryOf } from './balance-chart';

const came = aMovement({
  kind: 'deposit_approve',
  subject: 'deposit:dep-1',
  amount: 500,
  balanceAfter: 500,
  at: '2026-11-10T04:00:00Z',
});

const paid = aMovement({ at: '2026-11-12T04:00:00Z' });

async function section(user: UserEvent) {
  await user.click(await screen.findByText('Balance over time'));
  return within(await screen.findByRole('region', { name: 'Balance over time' }));
}

beforeEach(() => {
  signedInAs(nusrat);
  histories();
});

describe('the chart of the balance', () => {
  it('is told in words', async () => {
    server.use(http.get('*/api/wallet/history', () => HttpResponse.json(aWalletHistory({ movements: [came, paid] }))));
    const { user } = renderAt('/balance');
    const chart = await section(user);
    const words = '$500.00 came in, $100.00 went out. Highest $500.00, lowest $0.00.';
    expect(await chart.findByText(words)).toBeVisible();
  });

  it('says so when nothing has moved, and when the oldest are left out', async () => {
    server.use(http.get('*/api/wallet/history', () => HttpResponse.json(aWalletHistory({ opening: 212.4 }))));
    const { user } = renderAt('/balance');
    const chart = await section(user);
    expect(await chart.findByText('No transactions in this period. Balance: $212.40.')).toBeVisible();
    const asked: (string | null)[] = [];
    server.use(
      http.get('*/api/wallet/history', ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('days'));
        return HttpResponse.json(aWalletHistory({ opening: 500, movements: [paid], complete: false }));
      }),
    );
    await user.selectOptions(chart.getByLabelText('Period'), 'Last year');
    expect(await chart.findByText(/The oldest transactions of this period are left out/)).toBeVisible();
    expect(asked).toEqual(['365']);
  });

  it('writes Bangla digits', async () => {
    server.use(http.get('*/api/wallet/history', () => HttpResponse.json(aWalletHistory({ movements: [came] }))));
    await setLanguage('bn');
    const { user } = renderAt('/balance');
    await user.click(await screen.findByText('ব্যালেন্সের ওঠানামা'));
    expect(await screen.findByText(/^এসেছে \$৫০০\.০০/)).toBeVisible();
  });

  it('leaves the rest of the page alone when it cannot be loaded, and is loaded again', async () => {
    server.use(http.get('*/api/wallet/history', () => HttpResponse.json({ code: 'conflict', message: '' }, { status: 409 })));
    const { user } = renderAt('/balance');
    const chart = await section(user);
    expect(await chart.findByText('Your transactions could not be loaded.')).toBeVisible();
    expect(await screen.findByText('No transactions')).toBeVisible();
    histories();
    await user.click(chart.getByRole('button', { name: 'Retry' }));
    expect(await chart.findByText(/^No transactions in this period/)).toBeVisible();
  });
});

const history = (over: Partial<WalletHistory> = {}): WalletHistory => ({
  from: '2026-11-01T00:00:00Z',
  to: '2026-11-11T00:00:00Z',
  opening: 0,
  movements: [],
  complete: true,
  ...over,
});

const spent = aMovement({ amount: -100, balanceAfter: 400, at: '2026-11-06T00:00:00Z' });

describe('the line of the chart', () => {
  it('is a flat line while nothing moves', () => {
    expect(chartOf(history({ opening: 200 }))).toMatchObject({
      line: 'M0 0H100',
      ground: 'M0 0H100V100H0Z',
      end: { x: 100, y: 0 },
    });
    expect(chartOf(history())).toMatchObject({ line: 'M0 100H100' });
  });

  it('steps at the moment of each movement and stays until the next', () => {
    const came = aMovement({ amount: 500, balanceAfter: 500, at: '2026-11-03T12:00:00Z' });
    const chart = chartOf(history({ movements: [came, spent] }));
    expect(chart.line).toBe('M0 100H25V0H50V20H100');
    expect(chart.end).toEqual({ x: 100, y: 20 });
    expect(chart.rules).toEqual([
      { y: 0, cents: 500_00 },
      { y: 50, cents: 250_00 },
      { y: 100, cents: 0 },
    ]);
  });

  it('begins with the first movement it knows where older ones are left out', () => {
    const chart = chartOf(history({ opening: 500, movements: [spent], complete: false }));
    expect(chart.line).toBe('M0 0H0V20H100');
    expect(chart.times[0]).toBe(Date.parse(spent.at));
  });

  it.each([
    [0, 100_00],
    [1, 1_00],
    [99, 1_00],
    [1_00, 1_00],
    [1_01, 2_00],
    [212_40, 250_00],
    [265_00, 500_00],
    [999_99, 1_000_00],
    [1_000_000_00, 1_000_000_00],
  ])('%i cents lie under the rule of %i', (cents, rule) => expect(ruleAbove(cents)).toBe(rule));
});

it('the figures of the chart count what came, what went, and between which bounds', () => {
  const came = aMovement({ amount: 0.1, balanceAfter: 500.1 });
  const more = aMovement({ amount: 0.2, balanceAfter: 500.3 });
  expect(summaryOf(history({ opening: 500, movements: [came, more, { ...spent, balanceAfter: 400.3 }] }))).toEqual({
    last: 400_30,
    incoming: 30,
    outgoing: 100_00,
    highest: 500_30,
    lowest: 400_30,
  });
  expect(summaryOf(history({ opening: 3 }))).toMatchObject({ last: 300, incoming: 0, outgoing: 0 });
});
