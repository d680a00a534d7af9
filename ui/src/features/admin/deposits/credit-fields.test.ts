import { describe, expect, it } from 'vitest';
import { approvalSchema, centsOf, type Due, inDollars, inTaka } from './credit-fields';

const claimed = 80_00;
const issues = (amount: string, again: string, reason: string, due: Due) =>
  approvalSchema(due).safeParse({ amount, taka: '', typed: 'usd', again, reason }).error?.issues ?? [];
const broken = (amount: string, again = '', reason = '') =>
  issues(amount, again, reason, { claimed, worth: claimed }).map(({ message }) => message);

describe('the amount to credit', () => {
  it.each(['', '0', '0.00', '.'])('is a number above 0, so not "%s"', (amount) => {
    expect(broken(amount)).toEqual(['rule.amount']);
  });

  it.each(['80', '80.0', '80.00', '৮০'])('needs nothing more when it is the claimed one: %s', (amount) => {
    expect(broken(amount)).toEqual([]);
  });

  it('is typed twice and explained when it is another', () => {
    expect(broken('77')).toEqual(['rule.again', 'rule.reason']);
    expect(broken('77', '78', 'less arrived')).toEqual(['rule.again']);
    expect(broken('77', '77.00', '  ')).toEqual(['rule.reason']);
    expect(broken('77', '77.00', 'less arrived')).toEqual([]);
  });
});

describe('the amount to credit for an old deposit', () => {
  const old = (amount: string, worth: number, again = '', reason = '') =>
    issues(amount, again, reason, { claimed, worth }).map(({ path }) => path[0]);

  it('is what the taka sent are worth now, without a word', () => {
    expect(old('77', 77_00)).toEqual([]);
  });

  it('is explained when it is not that, or far from the claimed amount', () => {
    expect(old('80', 77_00)).toEqual(['again', 'reason']);
    expect(old('71.99', 71_99)).toEqual(['reason']);
    expect(old('71.99', 71_99, '', 'the rate has changed')).toEqual([]);
  });
});

describe('the amount to credit in taka', () => {
  const inTyped = (taka: string, again: string) =>
    approvalSchema({ claimed, worth: claimed })
      .safeParse({ amount: inDollars(taka, 123), taka, typed: 'bdt', again, reason: 'less arrived' })
      .error?.issues.map(({ message }) => message) ?? [];

  it('is counted at whole taka a dollar, rounded down, and back', () => {
    expect(inDollars('9471', 123)).toBe('77.00');
    expect(inDollars('9470', 123)).toBe('76.99');
    expect(inDollars('৯৪৭১', 123)).toBe('77.00');
    expect(inDollars('', 123)).toBe('');
    expect(inTaka('77', 123)).toBe('9471');
    expect(inTaka('76.99', 123)).toBe('9469.77');
    expect(inTaka('', 123)).toBe('');
    expect(centsOf(12_300_00, 123)).toBe(100_00);
  });

  it('is typed again in taka', () => {
    expect(inTyped('9471', '77')).toEqual(['rule.again']);
    expect(inTyped('9471', '৯৪৭১')).toEqual([]);
    expect(inTyped('9840', '')).toEqual([]);
  });
});
