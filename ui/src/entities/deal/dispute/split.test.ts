import { describe, expect, it } from 'vitest';
import { partOf, percentOf, splitOf } from './split';

describe('a split', () => {
  it.each([
    [48_000, 0, { buyer: 0, seller: 47_040, fee: 960 }],
    [48_000, 48_000, { buyer: 48_000, seller: 0, fee: 0 }],
    [48_000, 20_000, { buyer: 20_000, seller: 27_440, fee: 560 }],
    // Half a cent is rounded up.
    [10_025, 10_000, { buyer: 10_000, seller: 24, fee: 1 }],
    [1, 0, { buyer: 0, seller: 1, fee: 0 }],
  ])('of %i with %i for the buyer', (price, buyer, split) => {
    expect(splitOf(price, buyer)).toEqual(split);
  });

  it('loses no cent at any percentage', () => {
    for (const price of [1, 99, 100, 333, 48_001, 100_000_000]) {
      for (let percent = 0; percent <= 100; percent++) {
        const { buyer, seller, fee } = splitOf(price, partOf(price, percent));
        expect([price, percent, buyer + seller + fee, Math.min(buyer, seller, fee) >= 0]).toEqual([price, percent, price, true]);
      }
      expect([partOf(price, 0), partOf(price, 100)]).toEqual([0, price]);
    }
  });

  it('is shown as a whole percentage', () => {
    expect([percentOf(48_000, 16_000), percentOf(48_000, 0), percentOf(48_000, 48_000), percentOf(0, 0)]).toEqual([
      33, 0, 100, 0,
    ]);
  });
});
