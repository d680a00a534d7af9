import { useRef } from 'react';

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

/** crypto.randomUUID exists only on https and localhost; a page opened over plain http on a phone has getRandomValues. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
