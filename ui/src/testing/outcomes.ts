import type { Outcome } from '@/i18n/sentences.gen';
import { outcomes } from '@/i18n/sentences.gen';

export function doneAs(outcome: Outcome): { message: string; outcome: Outcome } {
  return { message: outcomes[outcome], outcome };
}
