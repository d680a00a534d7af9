import { type Grouping, grouped, latinDigits, localDigits, localGrouping } from '@/i18n/numbers';

export { count, latinDigits, localDigits } from '@/i18n/numbers';

/** Amounts are integers inside the UI: US cents and Bangladeshi poisha. On the wire they are numbers with two decimals. */
export type Cents = number;
export type Poisha = number;

const FEE_PERCENT = 2;
const REWARD_PERCENT = 1;

/** The currency of an amount field. */
export type Currency = 'USD' | 'BDT';

const SIGNS: Record<Currency, RegExp> = { USD: /^(?:(?:US)?\$|USD)|(?:\$|USD)$/gi, BDT: /^(?:৳|BDT|Tk\.?)|(?:৳|BDT|Tk\.?)$/gi };

/** 1234, 1234.5, 12,50 */
const PLAIN = /^(\d*)(?:[.,](\d{0,2}))?$/;
/** Thousands or lakh in groups, which say which of the two signs is the decimal one: 1,234.50, 1,00,000, 1 234,50, 1.234,50, 1.234.567 */
const GROUPED = [
  /^([1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d\d)+,\d{3})(?:\.(\d{0,2}))?$/,
  /^([1-9]\d{0,2}(?: \d{3})+|[1-9]\d?(?: \d\d)+ \d{3})(?:[.,](\d{0,2}))?$/,
  /^([1-9]\d{0,2}(?:\.\d{3})+),(\d{1,2})$/,
  /^([1-9]\d{0,2}(?:\.\d{3}){2,})$/,
];
const MOST_DIGITS = 9;

/**
 * What a text says in an amount field (docs/rules.md#amounts): "12.5" and "12,50" are 1250; null for whatever is no amount or may be another one.
 * Never through a float, so no amount is off by a cent.
 */
export function parseCents(text: string, currency: Currency = 'USD'): Cents | null {
  const typed = latinDigits(text.trim()).replace(SIGNS[currency], '').trim().replace(/\s/g, ' ');
  const match = [PLAIN, ...GROUPED].map((form) => form.exec(typed)).find((found) => found !== null);
  const whole = match?.[1]?.replace(/\D/g, '') ?? '';
  const decimals = match?.[2] ?? '';
  if (!match || !(whole || decimals) || whole.length > MOST_DIGITS) return null;
  return Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
}

/** An amount as it stands in its field: "480", "480.50". */
export function amountText(cents: Cents): string {
  return (cents / 100).toFixed(2).replace(/\.00$/, '');
}

export function centsFromWire(amount: number): Cents {
  return Math.round(amount * 100);
}

export function centsToWire(cents: Cents): number {
  return cents / 100;
}

/** The service fee of a price: 2 %, half a cent rounded up, as the server counts it. */
export function feeOf(price: Cents): Cents {
  return Math.floor((price * FEE_PERCENT + 50) / 100);
}

/** What somebody earns who brought a party of a deal: 1 % of its price, rounded down, as the server counts it. */
export function rewardOf(price: Cents): Cents {
  return Math.floor((price * REWARD_PERCENT) / 100);
}

/** Taka per dollar as the balance, the withdrawal and every estimate use it: whole taka, rounded down. */
export function floorRate(usdToBdt: number): number {
  return Math.floor(usdToBdt);
}

/** Taka per dollar as a deposit is counted: whole taka, rounded up. */
export function ceilRate(usdToBdt: number): number {
  return Math.ceil(usdToBdt);
}

/** Taka for dollars at a whole rate: exact, since cents times whole taka are poisha. */
export function toPoisha(cents: Cents, wholeRate: number): Poisha {
  return cents * wholeRate;
}

function plain(hundredths: number, grouping: Grouping, decimals: number): string {
  return grouped(Math.abs(hundredths) / 100, grouping, decimals);
}

function signed(hundredths: number, text: string): string {
  return localDigits(hundredths < 0 ? `− ${text}` : text);
}

/** 48000 to "$480.00", in Bangla "$৪৮০.০০". */
export function usd(cents: Cents): string {
  return signed(cents, `$${plain(cents, localGrouping(), 2)}`);
}

/** 48000 to "480.00": for columns whose head names the currency. */
export function amount(cents: Cents): string {
  return signed(cents, plain(cents, localGrouping(), 2));
}

/** 4800000 to "$48,000": for large round numbers. */
export function usdWhole(cents: Cents): string {
  return signed(cents, `$${plain(Math.trunc(cents / 100) * 100, localGrouping(), 0)}`);
}

/** 48000 to "$480", 48050 to "$480.50": for prices as people write them. */
export function usdShort(cents: Cents): string {
  return cents % 100 === 0 ? usdWhole(cents) : usd(cents);
}

/** Taka with lakh grouping: "৳12,34,567", with decimals only when there are poisha. */
export function bdt(poisha: Poisha): string {
  return signed(poisha, `৳${plain(poisha, 'en-IN', poisha % 100 === 0 ? 0 : 2)}`);
}

/** An estimate: "≈ ৳58,560". */
export function aboutBdt(poisha: Poisha): string {
  return `≈ ${bdt(poisha)}`;
}

/** Whether a shown amount is too long for the usual size of its place: $100,000.00 and more. */
export function isLong(shown: string): boolean {
  return shown.length > 10;
}
