import { useSyncExternalStore } from 'react';
import { isApiError } from '@/lib/errors';

type Question = { promise: Promise<boolean>; answer: (confirmed: boolean) => void };

let open: Question | null = null;
const listeners = new Set<() => void>();

function change(question: Question | null): void {
  open = question;
  for (const listener of listeners) listener();
}

/** One dialog, however many calls wait for it. */
function askPassword(): Promise<boolean> {
  if (open) return open.promise;
  let answer: (confirmed: boolean) => void = () => undefined;
  const promise = new Promise<boolean>((resolve) => {
    answer = resolve;
  });
  change({ promise, answer });
  return promise;
}

/** Ends the question: the waiting calls are repeated, or fail with the refusal they had. */
export function answerPassword(confirmed: boolean): void {
  const question = open;
  change(null);
  question?.answer(confirmed);
}

/** Whether an admin is being asked for the password. */
export function usePasswordPrompt(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open !== null,
  );
}

/** Makes a call about money. Where the server wants the admin's password first, asks for it and makes the same call again. */
export async function withPassword<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isApiError(error, 'password_required') || !(await askPassword())) throw error;
    return call();
  }
}
