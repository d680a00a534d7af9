import { useHydrated } from '@tanstack/react-router';
import { useState } from 'react';

/** What stands in the fields of those names on the page now. */
function readFields<V extends Record<string, string>>(empty: V): V {
  const values: Record<string, string> = { ...empty };
  for (const name of Object.keys(empty)) {
    const typed = document.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.value ?? '';
    if (typed !== '') values[name] = typed;
  }
  return values as V;
}

/**
 * The first values of a form: `empty`, or, on a prerendered page, what its reader or a password manager has put into the fields before the page was
 * hydrated.
 */
export function usePrehydrationInput<V extends Record<string, string>>(empty: V): V {
  const hydrated = useHydrated();
  const [first] = useState(() => (hydrated || import.meta.env.SSR ? empty : readFields(empty)));
  return first;
}
