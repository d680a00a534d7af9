import { describe, expect, it } from 'vitest';
import { setLanguage } from '@/i18n';
import { amountText, parseCents } from './amount';
import { aboutBdt, amount, bdt, ceilRate, count, feeOf, floorRate, localDigits, toPoisha, usd, usdWhole } from './money';

describe('typing an amount', () => {
  it.each([
    ['480', 48_000],
    ['480.5', 48_050],
    ['0.29', 29],
    ['1.1', 110],
    ['.07', 7],
    ['7.', 700],
    ['৪৮০.০০', 48_000],
    ['1000000.00', 100_000_000],
    // The decimal comma.
    ['12,50', 1_250],
    ['1,5', 150],
    ['১,৫', 150],
    // Groups, by thousands and by lakh.
    ['1,234', 123_400],
    ['1,234.5', 123_450],
    ['1,00,000', 10_000_000],
    ['১,০০,০০০.৫০', 10_000_050],
    ['12,34,567', 123_456_700],
    ['1 234,50', 123_450],
    ['1\u00a0234\u202f567.5', 123_456_750],
    ['1.234,50', 123_450],
    ['1.234.567', 123_456_700],
    ['$480', 48_000],
    ['US$ 1,250.00', 125_000],
    [' 480 USD\u00a0', 48_000],
  ])('reads %j as %i cents', (text, cents) => {
    expect(parseCents(text)).toBe(cents);
  });

  it.each(['৳500', 'Tk 500', 'tk. 500', '500 BDT'])('reads %j as taka, and never as dollars', (text) => {
    expect(parseCents(text, 'BDT')).toBe(50_000);
    expect(parseCents(text)).toBeNull();
  });

  it.each([
    ...['', ' ', '.', ',', 'abc', '-1', '- 5', '+5', '1e3', '0x10', '500-600', '500–600', '500/-', '5%', '1.2.3', '1..2', '1,,2'],
    ...[
      '12.345',
      '1.234',
      '0,500',
      '0.001',
      '1,2345',
      '12,345,67',
      '1,234,5',
      '1 2',
      '12 34',
      '1,234 567',
      '1.234.5',
      '1 000 00',
    ],
    ...['1٬234', '١٢', '１２', '1’000', '5 6 7', '1\u200b0', '12345678901', '$৳5', '$$5', 'USD', '1,00,00'],
  ])('takes %j for no amount', (text) => {
    expect(parseCents(text)).toBeNull();
  });

  /** Random numbers below `below`, the same in every run. */
  function random(seed: number) {
    let state = seed;
    return (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  }

  it('reads an amount in every writing', () => {
    const pick = random(1);
    for (let round = 0; round < 2_000; round++) {
      const cents = pick(10 ** (1 + pick(10)));
      const lakh = pick(2) === 0 ? 'en-IN' : 'en-US';
      const [whole = '', decimals = ''] = new Intl.NumberFormat(lakh, { minimumFractionDigits: 2 })
        .format(cents / 100)
        .split('.');
      const bangla = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0x9e6 + Number(digit)));
      for (const text of [
        `${whole}.${decimals}`,
        `$${whole}.${decimals}`,
        bangla(`${whole}.${decimals}`),
        `${whole.replaceAll(',', '\u00a0')},${decimals}`,
        `${whole.replaceAll(',', '')},${decimals} USD`,
        amountText(cents),
      ]) {
        expect(parseCents(text), text).toBe(cents);
      }
    }
  });

  it('drops and moves no digit of anything it reads', () => {
    const pick = random(2);
    const letters = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '৫', '.', ',', ' ', '\u00a0', '-', 'e', '$', '৳', '/'];
    let read = 0;
    for (let round = 0; round < 40_000; round++) {
      const text = Array.from({ length: 1 + pick(9) }, () => letters[pick(letters.length)]).join('');
      const cents = parseCents(text);
      if (cents === null) continue;
      read++;
      const digits = text.replaceAll('৫', '5').replace(/\D/g, '');
      // Up to two digits after the last separator are decimals; anything else would be a group.
      const decimals = /[.,]([\d৫]{1,2})\s*\$?\s*$/.exec(text)?.[1]?.length ?? 0;
      expect(cents, text).toBe(Number(digits + '00'.slice(decimals)));
    }
    expect(read).toBeGreaterThan(1_000);
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
    expect(aboutBdt(5_856_099)).toBe('≈ ৳58,560');
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
