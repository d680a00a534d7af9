import { latinDigits } from '@/lib/money';

const FORMAT = /^01\d{9}$/;
const COUNTRY = '88';
const OPERATOR_DIGITS = 5;

/** What may stand in a phone field: digits. A number typed with the country code (+8801…) loses it. */
export function cleanPhone(typed: string): string {
  const digits = latinDigits(typed).replace(/\D/g, '');
  return digits.startsWith(`${COUNTRY}01`) ? digits.slice(COUNTRY.length) : digits;
}

/** Starts with 01 and has 11 digits (SPEC §5). */
export function isPhone(number: string): boolean {
  return FORMAT.test(number);
}

/** "01711-482390", as phone numbers are written in Bangladesh. */
export function groupedPhone(number: string): string {
  return isPhone(number) ? `${number.slice(0, OPERATOR_DIGITS)}-${number.slice(OPERATOR_DIGITS)}` : number;
}
