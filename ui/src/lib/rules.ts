/** Rules that several forms and the server share. */
export const MIN_PASSWORD = 6;
/** The part before the @ is ASCII; the domain may be in Bangla. */
export const EMAIL = /^[!-?A-~]+@\S+\.\S+$/;
/** With fewer finished deals there is no percentage (docs/rules.md#success-score). */
export const MIN_DEALS_FOR_SCORE = 5;
/** The current version of terms and privacy policy. The pages and the server have it, too. */
export const TERMS_VERSION = '2026-11-01';
/** In cents. */
export const MAX_PRICE = 100_000_000;
export const MAX_DESCRIPTION = 5_000;

/** Counts characters as the server does, not UTF-16 units. */
export const lengthOf = (text: string): number => Array.from(text).length;
