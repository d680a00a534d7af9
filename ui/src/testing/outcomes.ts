import type { Outcome } from '@/api/contract';
import { outcomes } from '@/api/sentences.gen';

/** What the server answers of what it has done. */
export function doneAs(outcome: Outcome): { message: string; outcome: Outcome } {
  return { message: outcomes[outcome], outcome };
}
