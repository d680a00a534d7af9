import { currentLanguage } from './language';

const BANGLA_ZERO = '০'.charCodeAt(0);

/** Bangla digits to Latin ones, so that what a Bangla keyboard types can be read and sent. */
export function latinDigits(text: string): string {
  return text.replace(/[০-৯]/g, (digit) => String(digit.charCodeAt(0) - BANGLA_ZERO));
}

/** Latin digits to Bangla ones. */
function banglaDigits(text: string): string {
  return text.replace(/\d/g, (digit) => String.fromCharCode(BANGLA_ZERO + Number(digit)));
}

/** Digits in the writing of the current language: for ids, phone numbers and other figures that are no amounts. */
export function localDigits(text: string): string {
  return currentLanguage() === 'bn' ? banglaDigits(text) : text;
}

export type Grouping = 'en-US' | 'en-IN';

/** Bangla counts in lakh everywhere; English counts in thousands, but for taka. */
export function localGrouping(): Grouping {
  return currentLanguage() === 'bn' ? 'en-IN' : 'en-US';
}

const formats = new Map<string, Intl.NumberFormat>();

/** A number with its groups, in Latin digits; with exactly so many decimals, or as many as it has. */
export function grouped(value: number, grouping: Grouping, decimals?: number): string {
  const key = `${grouping}${decimals}`;
  let format = formats.get(key);
  if (!format) {
    const exactly = decimals === undefined ? {} : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    format = new Intl.NumberFormat(grouping, exactly);
    formats.set(key, format);
  }
  return format.format(value);
}

/** A number that is no amount, in the current language's digits and grouping. */
export function count(value: number): string {
  return localDigits(grouped(value, localGrouping()));
}
