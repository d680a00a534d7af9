import type { Outcome } from '@/i18n/sentences.gen';
import { outcomes } from '@/i18n/sentences.gen';

/** What the server answers of what it has done. */
export function doneAs(outcome: Outcome): { message: string; outcome: Outcome } {
  return { message: outcomes[outcome], outcome };
}
