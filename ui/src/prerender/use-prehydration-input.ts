import { useState } from 'react';
import { isFirstPage } from './hydration';

function readFields<V extends Record<string, string>>(empty: V): V {
  const values: Record<string, string> = { ...empty };
  for (const name of Object.keys(empty)) {
    const typed = document.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.value ?? '';
    if (typed !== '') values[name] = typed;
  }
  return values as V;
}

/**
 * The initial values of a form: `empty`, or on a prerendered page what was typed or filled in
 * before the page was hydrated, or replaced by one in another language.
 */
export function usePrehydrationInput<V extends Record<string, string>>(empty: V): V {
  const [first] = useState(() => (!import.meta.env.SSR && isFirstPage() ? readFields(empty) : empty));
  return first;
}
