/** The random end of the id, so that it reveals no count (docs/rules.md#statement). */
export function receiptNumber(letter: 'D' | 'P', id: string): string {
  const digits = id.slice(-12).toUpperCase();
  return [letter, digits.slice(0, 4), digits.slice(4, 8), digits.slice(8)].join('-');
}
