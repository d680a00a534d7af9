/**
 * The receipt number of a deal (D) or deposit (P): the random end of its id, so that no number
 * reveals how many there are (docs/rules.md#statement).
 */
export function receiptNumber(letter: 'D' | 'P', id: string): string {
  const digits = id.slice(-12).toUpperCase();
  return [letter, digits.slice(0, 4), digits.slice(4, 8), digits.slice(8)].join('-');
}
