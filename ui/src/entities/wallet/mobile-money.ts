import { latinDigits, type Poisha } from '@/lib/money';

const TRANSACTION_ID = /^[0-9A-Z]{8,12}$/;
// "TrxID CKJ8T2WV5C at 19/11/2026" (bKash) and "TxnID: 75LQ02XR" (Nagad).
const ID_IN_SMS = /\bT(?:rx|xn|nx)\s?ID\s*[:#]?\s*([0-9A-Z]{8,12})\b/i;
const PHONE = /^01\d{9}$/;
const COUNTRY = '88';
const OPERATOR_DIGITS = 5;

/** Normalises a typed transaction id: trimmed, Latin digits, capitals. */
export function transactionIdOf(typed: string): string {
  return latinDigits(typed.trim()).toUpperCase();
}

export function isTransactionId(id: string): boolean {
  return TRANSACTION_ID.test(id);
}

/** Finds the transaction id in pasted text: the text itself, or what follows "TrxID" in an SMS. */
export function transactionIdIn(pasted: string): string {
  const whole = transactionIdOf(pasted);
  if (isTransactionId(whole)) return whole;
  const found = ID_IN_SMS.exec(latinDigits(pasted))?.[1];
  return found ? found.toUpperCase() : pasted.trim();
}

/** Keeps the digits of a typed phone number, without the country code (+8801…). */
export function cleanPhone(typed: string): string {
  const digits = latinDigits(typed).replace(/\D/g, '');
  return digits.startsWith(`${COUNTRY}01`) ? digits.slice(COUNTRY.length) : digits;
}

export function isPhone(number: string): boolean {
  return PHONE.test(number);
}

/** "01711-482390", the usual format in Bangladesh. */
export function groupedPhone(number: string): string {
  return isPhone(number) ? `${number.slice(0, OPERATOR_DIGITS)}-${number.slice(OPERATOR_DIGITS)}` : number;
}

/** Taka for pasting into a payment app: no sign, no grouping. */
export function plainTaka(poisha: Poisha): string {
  return poisha % 100 === 0 ? String(poisha / 100) : (poisha / 100).toFixed(2);
}
