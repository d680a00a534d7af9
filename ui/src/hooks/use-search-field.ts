import { useEffect, useEffectEvent, useState } from 'react';
import { useDebouncedValue } from './use-debounced-value';

/**
 * A search field bound to the address. It searches after a pause, from `shortest` letters on; empty
 * shows all. An address it did not ask for (Back, a link) replaces its text even while focused, so
 * that it never shows a filter that is not applied.
 */
export function useSearchField(search: string, shortest: number, onSearch: (search: string) => void) {
  const [typed, setTyped] = useState(search);
  const [shown, setShown] = useState(search);
  /** What this field has asked for and the address has not answered. */
  const [asked, setAsked] = useState<readonly string[]>([]);
  if (shown !== search) {
    setShown(search);
    const answered = asked.indexOf(search);
    // More may have been typed since this field asked for it.
    if (answered < 0) setTyped(search);
    setAsked(answered < 0 ? [] : asked.slice(answered + 1));
  }
  const wanted = useDebouncedValue(typed.trim());
  const find = useEffectEvent(() => {
    if (wanted !== typed.trim() || wanted === search || (wanted !== '' && wanted.length < shortest)) return;
    setAsked([...asked, wanted]);
    onSearch(wanted);
  });
  // eslint-disable-next-line react-hooks/set-state-in-effect
  useEffect(() => find(), [wanted]);
  return { value: typed, onChange: ({ target }: { target: { value: string } }) => setTyped(target.value) };
}
