import { latinDigits } from '@/i18n/numbers';

/** docs/rules.md#chat-warnings */
export type Risk = 'phone' | 'link' | 'words';

/** Zero-width characters, which would hide a number or a word. */
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

/** Normalises a text for the search: NFKC, lower case, Latin digits. */
function plain(text: string): string {
  return latinDigits(text.normalize('NFKC').replace(INVISIBLE, '').toLowerCase());
}

const GAP = '[\\s.()-]{0,3}';
// 01712345678, 01712-345 678, +880 1712 345678, 88 01712 345678. The prefix is in one piece, unlike
// that of a date, and the number is not part of an id or a longer number.
const TOGETHER = `(?:(?:\\+|00)?88${GAP}(?:0${GAP}){0,2}1|01)[3-9](?:${GAP}\\d){8}`;
// 0 1 7 1 2 3 4 5 6 7 8
const APART = '0[\\s.-]{1,2}1[\\s.-]{1,2}[3-9](?:[\\s.-]{1,2}\\d){8}';
const PHONE = new RegExp(`(?<![a-z0-9#])(?:${TOGETHER}|${APART})(?![a-z0-9])`);

const SERVICES = [
  ...['rocket', 'dutchbanglabank', 'upay', 'upaybd', 'surecash', 'mcash', 'cellfin', 'tallykhata', 'sslcommerz', 'aamarpay'],
  ...['shurjopay', 'wise', 'skrill', 'neteller', 'stripe', 'venmo', 'cash', 'westernunion', 'moneygram', 'remitly'],
];
const SERVICE = new RegExp(`^(?:(?:bkash|nagad|paypal|payoneer|binance)[a-z0-9-]*|${SERVICES.join('|')})$`);
// A match starts at the first label of a host. Trying each character would take quadratic time.
const HOST =
  /(?<![a-z0-9-]\.?)(?:[a-z0-9-]+\.)+(?:com|net|org|me|bd|xyz|info|io|co|app|link|site|shop|online|top|page|gl|to|club|live|pro)(?![a-z0-9-])/g;
const APP_LINK = /(?<![a-z0-9])(?:bkash|nagad|rocket|upay|paypal):\/\//;

function hasPaymentLink(text: string): boolean {
  if (APP_LINK.test(text)) return true;
  return (text.match(HOST) ?? []).some((host) => host.split('.').some((label) => SERVICE.test(label)));
}

const HARMLESS = /\bthank(?:s| you)(?: so much)? in advance\b/g;

/** The words and phrases as one pattern; null without any. Words of a phrase may have any gap. */
export function wordPattern(words: readonly string[]): RegExp | null {
  const phrases = words
    .map((word) => plain(word).trim())
    .filter((word) => word !== '')
    .map((word) => word.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&').replace(/\s+/g, '[\\s._-]+'));
  if (phrases.length === 0) return null;
  // Whole words. Bangla vowel signs are marks.
  return new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(?:${phrases.join('|')})(?![\\p{L}\\p{M}\\p{N}])`, 'u');
}

export function riskOf(text: string, words: RegExp | null): Risk | null {
  const searched = plain(text);
  if (hasPaymentLink(searched)) return 'link';
  if (PHONE.test(searched)) return 'phone';
  return words?.test(searched.replace(HARMLESS, '')) ? 'words' : null;
}
