import { describe, expect, it } from 'vitest';
import { axisTicks, shortFigure } from './buckets';

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
