import { createStore, useSelector } from '@tanstack/react-store';
import { isApiError } from '@/lib/errors';

/** What the user is asked for: the password, with the second factor where that is on, or a code that is mailed. */
export type Wanted = 'password' | 'mail';

type Question = { wanted: Wanted; promise: Promise<boolean>; answer: (confirmed: boolean) => void };

const prompt = createStore<Question | null>(null);

/** One dialog, however many calls wait for it. */
function askConfirmation(wanted: Wanted): Promise<boolean> {
  if (prompt.state) return prompt.state.promise;
  let answer: (confirmed: boolean) => void = () => undefined;
  const promise = new Promise<boolean>((resolve) => {
    answer = resolve;
  });
  prompt.setState(() => ({ wanted, promise, answer }));
  return promise;
}

/** Ends the question, if there is one: the waiting calls are repeated, or fail with the refusal they had. */
export function answerConfirmation(confirmed: boolean): void {
  const question = prompt.state;
  prompt.setState(() => null);
  question?.answer(confirmed);
}

/** What the user is being asked for to confirm that it is them; null where nothing is. */
export function useConfirmationPrompt(): Wanted | null {
  return useSelector(prompt, (question) => question?.wanted ?? null);
}

function wantedBy(error: unknown): Wanted | null {
  if (isApiError(error, 'password_required')) return 'password';
  return isApiError(error, 'mail_code_required') ? 'mail' : null;
}

/** Whether a call failed because its user did not confirm it: they closed the dialog, and know. */
export function isUnconfirmed(error: unknown): boolean {
  return wantedBy(error) !== null;
}

/**
 * Makes a call that the server takes only within a time after the user has proved that it is them. Where that is over, asks for what the server wants,
 * and makes the same call again. The frame of the page has a Confirmation.
 */
export async function withConfirmation<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const wanted = wantedBy(error);
    if (!wanted || !(await askConfirmation(wanted))) throw error;
    return call();
  }
}
