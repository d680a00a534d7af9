import { useRef } from 'react';
import { isApiError } from './errors';

/** The key that lets the server recognise a repeated money call. */
export type IdempotencyKey = { current: () => string; renew: () => void };

/**
 * A key for one intention: the same through every retry (double click, lost answer, server error), a new one only after `renew`,
 * which is called on a final answer. Changing the form after a lost answer keeps the key on purpose: the server then answers
 * `idempotency_mismatch` instead of doing a second thing while the first may have happened.
 */
export function useIdempotencyKey(): IdempotencyKey {
  const key = useRef<string | null>(null);
  return {
    current: () => {
      key.current ??= newKey();
      return key.current;
    },
    renew: () => {
      key.current = null;
    },
  };
}

/** Whether an error is the last word on a call: repeating the same would be refused again. */
export function isFinal(error: unknown): boolean {
  return isApiError(error) && error.status >= 400 && error.status < 500 && ![401, 408, 425, 429].includes(error.status);
}

/**
 * For what is written and moves no money: a call with a key that stays the same while the same is sent again, until it is answered. Other words are
 * another thing to send.
 */
export function useKeyed<B, A>(call: (body: B, key: string) => Promise<A>): (body: B) => Promise<A> {
  const sent = useRef<{ words: string; key: string } | null>(null);
  return async (body) => {
    const words = JSON.stringify(body);
    if (sent.current?.words !== words) sent.current = { words, key: newKey() };
    try {
      const answer = await call(body, sent.current.key);
      sent.current = null;
      return answer;
    } catch (error) {
      if (isFinal(error)) sent.current = null;
      throw error;
    }
  };
}

/** crypto.randomUUID exists only on https and localhost; a page opened over plain http on a phone has getRandomValues. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
