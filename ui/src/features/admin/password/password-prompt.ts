import { createStore, useSelector } from '@tanstack/react-store';
import { isApiError } from '@/lib/errors';

type Question = { promise: Promise<boolean>; answer: (confirmed: boolean) => void };

const prompt = createStore<Question | null>(null);

/** One dialog, however many calls wait for it. */
function askPassword(): Promise<boolean> {
  if (prompt.state) return prompt.state.promise;
  let answer: (confirmed: boolean) => void = () => undefined;
  const promise = new Promise<boolean>((resolve) => {
    answer = resolve;
  });
  prompt.setState(() => ({ promise, answer }));
  return promise;
}

/** Ends the question, if there is one: the waiting calls are repeated, or fail with the refusal they had. */
export function answerPassword(confirmed: boolean): void {
  const question = prompt.state;
  prompt.setState(() => null);
  question?.answer(confirmed);
}

/** Whether an admin is being asked for the password. */
export function usePasswordPrompt(): boolean {
  return useSelector(prompt, (question) => question !== null);
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
