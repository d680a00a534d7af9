import { currentLanguage } from './language';

const BANGLA_ZERO = '০'.charCodeAt(0);

/** Converts Bangla digits, so that input of a Bangla keyboard can be parsed and sent. */
export function latinDigits(text: string): string {
  return text.replace(/[০-৯]/g, (digit) => String(digit.charCodeAt(0) - BANGLA_ZERO));
}

function banglaDigits(text: string): string {
  return text.replace(/\d/g, (digit) => String.fromCharCode(BANGLA_ZERO + Number(digit)));
}

/** Digits in the current language, for ids, phone numbers and other figures that are no amounts. */
export function localDigits(text: string): string {
  return currentLanguage() === 'bn' ? banglaDigits(text) : text;
}

export type Grouping = 'en-US' | 'en-IN';

/** Bangla always groups by lakh, English by thousands except for taka. */
export function localGrouping(): Grouping {
  return currentLanguage() === 'bn' ? 'en-IN' : 'en-US';
}

const formats = new Map<string, Intl.NumberFormat>();

/** Groups a number, in Latin digits, with `decimals` or as many as it has. */
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

/** A number that is no amount, in the current language. */
export function count(value: number): string {
  return localDigits(grouped(value, localGrouping()));
}
