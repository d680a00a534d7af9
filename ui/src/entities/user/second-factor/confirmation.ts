import { createStore, useSelector } from '@tanstack/react-store';
import { isApiError } from '@/lib/errors';

/** The proof: the password (with the second factor if on), or a mailed code. */
export type RequiredProof = 'password' | 'mail';

type Question = { wanted: RequiredProof; promise: Promise<boolean>; answer: (confirmed: boolean) => void };

const prompt = createStore<Question | null>(null);

/** Opens one dialog for all waiting calls. */
function askConfirmation(wanted: RequiredProof): Promise<boolean> {
  if (prompt.state) return prompt.state.promise;
  let answer: (confirmed: boolean) => void = () => undefined;
  const promise = new Promise<boolean>((resolve) => {
    answer = resolve;
  });
  prompt.setState(() => ({ wanted, promise, answer }));
  return promise;
}

/** Closes the dialog: the waiting calls are repeated, or fail with their refusal. */
export function answerConfirmation(confirmed: boolean): void {
  const question = prompt.state;
  prompt.setState(() => null);
  question?.answer(confirmed);
}

export function useConfirmationPrompt(): RequiredProof | null {
  return useSelector(prompt, (question) => question?.wanted ?? null);
}

function requiredProofOf(error: unknown): RequiredProof | null {
  if (isApiError(error, 'password_required')) return 'password';
  return isApiError(error, 'mail_code_required') ? 'mail' : null;
}

/** Reports whether the user closed the dialog, which needs no message. */
export function isUnconfirmed(error: unknown): boolean {
  return requiredProofOf(error) !== null;
}

/**
 * Makes a call that requires a recent confirmation. If the server refuses it, asks the user to
 * confirm and repeats the call. The page's frame must contain a Confirmation.
 */
export async function withConfirmation<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const wanted = requiredProofOf(error);
    if (!wanted || !(await askConfirmation(wanted))) throw error;
    return call();
  }
}
