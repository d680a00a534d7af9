import { useRef } from 'react';
import { isApiError } from './errors';

/** The key that lets the server recognise a repeated money call. Whoever does several things with one hook names the one that is meant. */
type IdempotencyKey = { current: (intention?: string) => string; renew: (intention?: string) => void };

/**
 * A key for each intention: the same through every retry (double click, lost answer, server error), a new one only after `renew`,
 * which is called on a final answer. Changing the form after a lost answer keeps the key on purpose: the server then answers
 * `idempotency_mismatch` instead of doing a second thing while the first may have happened.
 */
export function useIdempotencyKey(): IdempotencyKey {
  const keys = useRef(new Map<string, string>());
  return {
    current: (intention = '') => {
      const key = keys.current.get(intention) ?? newKey();
      keys.current.set(intention, key);
      return key;
    },
    renew: (intention = '') => {
      keys.current.delete(intention);
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
