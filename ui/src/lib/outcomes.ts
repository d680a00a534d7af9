import { currentLanguage } from '@/i18n';
import { translated } from '@/i18n/language';

/** The result of a call. Decide by `outcome` alone; `message` is for the reader. */
export type CallResult = { message: string; outcome: string };

/** Message and outcome of a response or a settled operation, "" if absent. */
export function callResult(answer: unknown): CallResult {
  const { message, outcome } = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>;
  return {
    message: typeof message === 'string' ? message : '',
    outcome: typeof outcome === 'string' ? outcome : '',
  };
}

/** The server's message, in Bangla the catalogue's, or else the fallback. */
export function outcomeText(answer: unknown, fallback: string): string {
  const { message, outcome } = callResult(answer);
  if (currentLanguage() === 'en') return message || fallback;
  const text = translated('outcomes')?.[outcome];
  return typeof text === 'string' ? text : fallback;
}
