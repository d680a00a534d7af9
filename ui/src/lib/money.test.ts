import { describe, expect, it } from 'vitest';
import { setLanguage } from '@/i18n';
import {
  aboutBdt,
  amount,
  bdt,
  ceilRate,
  cleanAmount,
  count,
  feeOf,
  floorRate,
  localDigits,
  parseCents,
  toPoisha,
  usd,
  usdWhole,
} from './money';

describe('typing an amount', () => {
  it.each([
    ['12.50', '12.50'],
    ['১২.৫০', '12.50'],
    ['$1,234.5', '1234.5'],
    ['1.2.3', '1.23'],
    ['12.345', '12.34'],
    ['-5', '5'],
    ['abc', ''],
    ['.5', '.5'],
    ['7.', '7.'],
  ])('lets only digits and one point in: %s becomes %s', (typed, kept) => {
    expect(cleanAmount(typed)).toBe(kept);
  });

  it.each([
    ['480', 48_000],
    ['480.5', 48_050],
    ['0.29', 29],
    ['1.1', 110],
    ['.07', 7],
    ['7.', 700],
    ['৪৮০.০০', 48_000],
    ['1000000.00', 100_000_000],
  ])('reads %s as %i cents', (text, cents) => {
    expect(parseCents(text)).toBe(cents);
  });

  it.each(['', '.', 'abc', '1.234', '-1', '1e3', '1 000'])('takes %j for no amount', (text) => {
    expect(parseCents(text)).toBeNull();
  });
});

describe('fee', () => {
  it.each([
    [48_000, 960],
    [25, 1], // 0.5 cents round up
    [24, 0],
    [1, 0],
    [100_000_000, 2_000_000],
  ])('of %i cents is %i', (price, fee) => {
    expect(feeOf(price)).toBe(fee);
  });
});

describe('taka', () => {
  it('are counted at the whole rate: down for balances, up for deposits', () => {
    expect(toPoisha(48_000, floorRate(122.9))).toBe(5_856_000);
    expect(toPoisha(48_000, ceilRate(122.1))).toBe(5_904_000);
  });

  it('are grouped in lakh, with decimals only where there are poisha', () => {
    expect(bdt(123_456_700)).toBe('৳12,34,567');
    expect(bdt(5_738_880)).toBe('৳57,388.80');
    expect(aboutBdt(5_856_000)).toBe('≈ ৳58,560');
  });
});

describe('showing amounts', () => {
  it('in English', () => {
    expect(usd(48_000)).toBe('$480.00');
    expect(usd(123_456_789)).toBe('$1,234,567.89');
    expect(usd(-960)).toBe('− $9.60');
    expect(amount(48_000)).toBe('480.00');
    expect(usdWhole(6_128_450)).toBe('$61,284');
    expect(count(12_871)).toBe('12,871');
    expect(localDigits('01712')).toBe('01712');
  });

  it('in Bangla, with Bangla digits and lakh grouping', async () => {
    await setLanguage('bn');
    expect(usd(48_000)).toBe('$৪৮০.০০');
    expect(usd(123_456_789)).toBe('$১২,৩৪,৫৬৭.৮৯');
    expect(bdt(5_738_880)).toBe('৳৫৭,৩৮৮.৮০');
    expect(count(12_871)).toBe('১২,৮৭১');
    expect(localDigits('01712')).toBe('০১৭১২');
  });
});
