import { errorAdvice, errorText } from './errors';
import { notify } from './toast';

/** Says what failed in the words that SPEC §8 has for it, and under them what to do about it, or the server's own. */
export function sayFailed(text: string, error: unknown): void {
  notify.error(text, errorAdvice(error) ?? (errorText(error, '') || undefined));
}
