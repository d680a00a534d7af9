import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { daysOf } from './period';
import { periodSearch } from './period-search';

describe('the period of an address', () => {
  it.each([
    [{}, {}],
    [{ days: 7 }, { days: 7 }],
    [{ days: '30' }, { days: 30 }],
    [{ days: 15, from: '2026-11-01' }, { days: 15 }],
    [{ days: 8 }, {}],
    [{ from: '2026-11-01' }, { from: '2026-11-01' }],
    [
      { from: '2026-11-01', to: '2026-11-10' },
      { from: '2026-11-01', to: '2026-11-10' },
    ],
    [{ from: '2026-11-10', to: '2026-11-01' }, {}],
    [{ from: 'mail', to: '2026-13-40' }, {}],
    [{ from: '2026-02-31', to: 5 }, {}],
  ])('%j is read as %j', (search, period) => expect(periodSearch(search)).toEqual(period));
});

describe('the days of a period', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse('2026-11-22T20:30:00Z') }); // 23 November in Dhaka
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    [{ days: 7 }, { from: '2026-11-17' }],
    [{ days: 30 }, { from: '2026-10-25' }],
    [{ to: '2026-11-10' }, { to: '2026-11-10' }],
    [{}, {}],
  ] as const)('%j are %j, in Dhaka, today among them', (period, days) => expect(daysOf(period)).toEqual(days));
});
