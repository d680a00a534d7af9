import { describe, expect, it } from 'vitest';
import { addDays, dhakaDay } from '@/lib/time';
import { axisTicks, bucketsOf, drawnRange, shortFigure, sumOf } from './buckets';
import type { AllSeries } from './queries';

const TODAY = dhakaDay(Date.now());

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
