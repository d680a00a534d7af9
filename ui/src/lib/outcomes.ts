import { currentLanguage } from '@/i18n';
import { translated } from '@/i18n/language';

/** What a call has done: the server's text and its code. Decide by `outcome` alone. */
export type CallResult = { message: string; outcome: string };

/** Message and outcome of an answer or a settled operation; "" for what it lacks. */
export function callResult(answer: unknown): CallResult {
  const { message, outcome } = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>;
  return {
    message: typeof message === 'string' ? message : '',
    outcome: typeof outcome === 'string' ? outcome : '',
  };
}

/** The sentence for what a call has done: the server's where it wrote one, in Bangla the catalogue's, otherwise the caller's fallback. */
export function outcomeText(answer: unknown, fallback: string): string {
  const { message, outcome } = callResult(answer);
  if (currentLanguage() === 'en') return message || fallback;
  const text = translated('outcomes')?.[outcome];
  return typeof text === 'string' ? text : fallback;
}
