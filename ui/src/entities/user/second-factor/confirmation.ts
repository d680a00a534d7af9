import { createStore, useSelector } from '@tanstack/react-store';
import { isApiError } from '@/lib/errors';

type Question = { promise: Promise<boolean>; answer: (confirmed: boolean) => void };

const prompt = createStore<Question | null>(null);

/** One dialog, however many calls wait for it. */
function askConfirmation(): Promise<boolean> {
  if (prompt.state) return prompt.state.promise;
  let answer: (confirmed: boolean) => void = () => undefined;
  const promise = new Promise<boolean>((resolve) => {
    answer = resolve;
  });
  prompt.setState(() => ({ promise, answer }));
  return promise;
}

/** Ends the question, if there is one: the waiting calls are repeated, or fail with the refusal they had. */
export function answerConfirmation(confirmed: boolean): void {
  const question = prompt.state;
  prompt.setState(() => null);
  question?.answer(confirmed);
}

/** Whether the user is being asked to confirm that it is them. */
export function useConfirmationPrompt(): boolean {
  return useSelector(prompt, (question) => question !== null);
}

/** Whether a call failed because its user did not confirm it: they closed the dialog, and know. */
export function isUnconfirmed(error: unknown): boolean {
  return isApiError(error, 'password_required');
}

/**
 * Makes a call that the server takes only within a time after the password was entered. Where that is over, asks for it and the second factor,
 * and makes the same call again. The page has a ConfirmationDialog.
 */
export async function withConfirmation<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isUnconfirmed(error) || !(await askConfirmation())) throw error;
    return call();
  }
}
