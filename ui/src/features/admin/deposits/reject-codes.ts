export const REJECT_CODES = ['not_found', 'other_amount', 'used_before', 'other_number', 'other'] as const;
export type RejectCode = (typeof REJECT_CODES)[number];

/** The code of the keys 1 to 4, also on a Bangla keyboard. */
export function codeOfKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): RejectCode | undefined {
  const digit = /^[1-4]$/.test(key) ? key : /^Digit[1-4]$/.test(code) ? code.slice(-1) : null;
  return digit === null ? undefined : REJECT_CODES[Number(digit) - 1];
}
