import { describe, expect, it } from 'vitest';
import type { WalletHistory } from '@/api/contract';
import { aMovement } from '../fixtures';
import { chartOf, ruleAbove, summaryOf } from './balance-chart';

const history = (over: Partial<WalletHistory> = {}): WalletHistory => ({
  from: '2026-11-01T00:00:00Z',
  to: '2026-11-11T00:00:00Z',
  opening: 0,
  movements: [],
  complete: true,
  ...over,
});
const paid = aMovement({ amount: -100, balanceAfter: 400, at: '2026-11-06T00:00:00Z' });

describe('the chart of the balance', () => {
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
    const chart = chartOf(history({ movements: [came, paid] }));
    expect(chart.line).toBe('M0 100H25V0H50V20H100');
    expect(chart.end).toEqual({ x: 100, y: 20 });
    expect(chart.rules).toEqual([
      { y: 0, cents: 500_00 },
      { y: 50, cents: 250_00 },
      { y: 100, cents: 0 },
    ]);
  });

  it('begins with the first movement it knows where older ones are left out', () => {
    const chart = chartOf(history({ opening: 500, movements: [paid], complete: false }));
    expect(chart.line).toBe('M0 0H0V20H100');
    expect(chart.times[0]).toBe(Date.parse(paid.at));
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
  expect(summaryOf(history({ opening: 500, movements: [came, more, { ...paid, balanceAfter: 400.3 }] }))).toEqual({
    last: 400_30,
    incoming: 30,
    outgoing: 100_00,
    highest: 500_30,
    lowest: 400_30,
  });
  expect(summaryOf(history({ opening: 3 }))).toMatchObject({ last: 300, incoming: 0, outgoing: 0 });
});
