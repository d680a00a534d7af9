/** Rules that more than one form has; the server has them, too. */
export const MIN_PASSWORD = 6;
/** The name before the @ is in ASCII; the domain may be in Bangla. */
export const EMAIL = /^[!-?A-~]+@\S+\.\S+$/;
/** Of fewer finished deals, one decides too much: there is no percentage (docs/rules.md#success-score). */
export const ENOUGH_DEALS = 5;
/** The newest version of the terms and the privacy policy, the day since which it applies. The pages and the server have it, too. */
export const TERMS_VERSION = '2026-11-01';
/** A million dollars, in cents. */
export const MAX_PRICE = 100_000_000;
export const MAX_DESCRIPTION = 5_000;

/** Characters as the server counts them: not the halves of an emoji. */
export const lengthOf = (text: string): number => Array.from(text).length;
