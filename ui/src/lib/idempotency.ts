import { useRef } from 'react';
import { isApiError } from './errors';

/** The server recognises a repeated money call by it. Pass the intention if there are several. */
type IdempotencyKey = { current: (intention?: string) => string; renew: (intention?: string) => void };

/**
 * One key per intention: it stays the same through retries (double click, lost response, server
 * error) until `renew` is called on a final answer. Editing the form after a lost response keeps
 * the key on purpose: the server then answers `idempotency_mismatch` instead of doing a second
 * thing while the first may have happened.
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

/** Reports whether repeating the call would fail in the same way. */
export function isFinal(error: unknown): boolean {
  return isApiError(error) && error.status >= 400 && error.status < 500 && ![401, 408, 425, 429].includes(error.status);
}

/** For writes that move no money: the key stays while the same body is repeated. */
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

/** crypto.randomUUID exists only on https and localhost. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
