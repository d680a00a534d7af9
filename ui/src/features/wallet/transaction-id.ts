import { latinDigits } from '@/lib/money';

const FORMAT = /^[0-9A-Z]{8,12}$/;
// "TrxID CKJ8T2WV5C at 19/11/2026" (bKash) and "TxnID: 75LQ02XR" (Nagad).
const IN_SMS = /\bT(?:r|n|xn|rn)?x?\s?n?\s?ID\s*[:#]?\s*([0-9A-Z]{8,12})\b/i;

/** A typed transaction id as it is sent: no spaces around it, Latin digits, capital letters. */
export function transactionIdOf(typed: string): string {
  return latinDigits(typed.trim()).toUpperCase();
}

/** 8 to 12 letters or digits (SPEC §5). */
export function isTransactionId(id: string): boolean {
  return FORMAT.test(id);
}

/** The transaction id in a pasted text: the text itself, or what stands behind "TrxID" in a whole SMS. */
export function transactionIdIn(pasted: string): string {
  const whole = transactionIdOf(pasted);
  if (isTransactionId(whole)) return whole;
  const found = IN_SMS.exec(latinDigits(pasted))?.[1];
  return found ? found.toUpperCase() : pasted.trim();
}
