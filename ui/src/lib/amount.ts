import { latinDigits } from '@/i18n/numbers';
import type { Cents } from './money';

export type Currency = 'USD' | 'BDT';

const SIGNS: Record<Currency, RegExp> = { USD: /^(?:(?:US)?\$|USD)|(?:\$|USD)$/gi, BDT: /^(?:৳|BDT|Tk\.?)|(?:৳|BDT|Tk\.?)$/gi };

/** 1234, 1234.5, 12,50 */
const PLAIN = /^(\d*)(?:[.,](\d{0,2}))?$/;
/** Grouped in thousands or lakh: 1,234.50, 1,00,000, 1 234,50, 1.234,50, 1.234.567 */
const GROUPED = [
  /^([1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d\d)+,\d{3})(?:\.(\d{0,2}))?$/,
  /^([1-9]\d{0,2}(?: \d{3})+|[1-9]\d?(?: \d\d)+ \d{3})(?:[.,](\d{0,2}))?$/,
  /^([1-9]\d{0,2}(?:\.\d{3})+),(\d{1,2})$/,
  /^([1-9]\d{0,2}(?:\.\d{3}){2,})$/,
];
const MAX_DIGITS = 9;

/**
 * Parses an amount field (docs/rules.md#amounts): "12.5" and "12,50" are 1250. Returns null for
 * anything that is no amount or is ambiguous. No floats, so no amount is off by a cent.
 */
export function parseCents(text: string, currency: Currency = 'USD'): Cents | null {
  const typed = latinDigits(text.trim()).replace(SIGNS[currency], '').trim().replace(/\s/g, ' ');
  const match = [PLAIN, ...GROUPED].map((form) => form.exec(typed)).find((found) => found !== null);
  const whole = match?.[1]?.replace(/\D/g, '') ?? '';
  const decimals = match?.[2] ?? '';
  if (!match || !(whole || decimals) || whole.length > MAX_DIGITS) return null;
  return Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
}

/** Formats an amount for its field: "480", "480.50". */
export function amountText(cents: Cents): string {
  return (cents / 100).toFixed(2).replace(/\.00$/, '');
}
