import { translate } from '@/i18n';
import { common } from '@/i18n/en/common';
import { notify } from './toast';

/** Copies the text and says so, or that it failed; reports whether it was copied. */
export async function copyText(text: string, done: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Browsers refuse without permission, and have no clipboard without https.
    notify.error(translate(common, 'copyFailed'));
    return false;
  }
  notify.copied(done);
  return true;
}
