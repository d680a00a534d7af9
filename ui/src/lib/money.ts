import { type Grouping, grouped, localDigits, localGrouping } from '@/i18n/numbers';

export { count, latinDigits, localDigits } from '@/i18n/numbers';

/** Integers in the UI (US cents and poisha), numbers with two decimals on the wire. */
export type Cents = number;
export type Poisha = number;

const FEE_PERCENT = 2;
const REWARD_PERCENT = 1;

export function centsFromWire(amount: number): Cents {
  return Math.round(amount * 100);
}

export function centsToWire(cents: Cents): number {
  return cents / 100;
}

/** The service fee of a price: 2 %, half a cent rounded up, as on the server. */
export function feeOf(price: Cents): Cents {
  return Math.floor((price * FEE_PERCENT + 50) / 100);
}

/** The referral reward for a deal: 1 % of its price, rounded down, as on the server. */
export function rewardOf(price: Cents): Cents {
  return Math.floor((price * REWARD_PERCENT) / 100);
}

/** Taka per dollar for balances, withdrawals and estimates: whole taka, rounded down. */
export function floorRate(usdToBdt: number): number {
  return Math.floor(usdToBdt);
}

/** Taka per dollar for deposits: whole taka, rounded up. */
export function ceilRate(usdToBdt: number): number {
  return Math.ceil(usdToBdt);
}

/** Converts at a whole rate. Exact: cents times whole taka are poisha. */
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

/** 48000 to "480.00", for columns whose header names the currency. */
export function amount(cents: Cents): string {
  return signed(cents, plain(cents, localGrouping(), 2));
}

/** 4800000 to "$48,000", for large round numbers. */
export function usdWhole(cents: Cents): string {
  return signed(cents, `$${plain(Math.trunc(cents / 100) * 100, localGrouping(), 0)}`);
}

/** 48000 to "$480", 48050 to "$480.50", as people write prices. */
export function usdShort(cents: Cents): string {
  return cents % 100 === 0 ? usdWhole(cents) : usd(cents);
}

/** Taka with lakh grouping: "৳12,34,567", with decimals only if there are poisha. */
export function bdt(poisha: Poisha): string {
  return signed(poisha, `৳${plain(poisha, 'en-IN', poisha % 100 === 0 ? 0 : 2)}`);
}

/** An estimate in whole taka, rounded down: "≈ ৳58,560". */
export function aboutBdt(poisha: Poisha): string {
  return `≈ ${bdt(poisha - (poisha % 100))}`;
}

/** Reports whether an amount is too long for the usual font size: $100,000.00 and more. */
export function isLong(shown: string): boolean {
  return shown.length > 10;
}
