import { HttpResponse, http } from 'msw';
import type { Operation } from '@/api/contract';
import type { Outcome } from '@/i18n/sentences.gen';
import { outcomes } from '@/i18n/sentences.gen';
import { server } from './server';

export function doneAs(outcome: Outcome): { message: string; outcome: Outcome } {
  return { message: outcomes[outcome], outcome };
}

/**
 * Serves an operation that is pending until the function returned is called. `settle` returns what
 * it has from then on.
 */
export function pendingUntil(pending: Operation, settle: () => Partial<Operation> = () => ({})): () => void {
  let settled = false;
  server.use(
    http.get(`*/api/operations/${pending._id}`, () =>
      HttpResponse.json(settled ? { ...pending, status: 'done', ...settle() } : pending),
    ),
  );
  return () => {
    settled = true;
  };
}
