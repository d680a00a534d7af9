/**
 * The number of the receipt of a deal (D) or a deposit (P): the end of its id, which is random, so that no number tells how many there are
 * (docs/rules.md#statement).
 */
export function receiptNumber(letter: 'D' | 'P', id: string): string {
  const digits = id.slice(-12).toUpperCase();
  return [letter, digits.slice(0, 4), digits.slice(4, 8), digits.slice(8)].join('-');
}
