import { useEffect, useEffectEvent, useState } from 'react';
import { useDebouncedValue } from './use-debounced-value';

/**
 * The text of a search field whose truth is the address. What is typed is searched for after a pause, from `shortest` letters on; an empty field shows all.
 * An address that this field did not ask for (Back, a link) comes into it, whoever has the focus, so that it never shows what is not applied.
 */
export function useSearchField(search: string, shortest: number, onSearch: (search: string) => void) {
  const [typed, setTyped] = useState(search);
  const [shown, setShown] = useState(search);
  const [asked, setAsked] = useState<readonly string[]>([]);
  if (shown !== search) {
    setShown(search);
    // The answer to what was asked for; meanwhile more may have been typed.
    if (!asked.includes(search)) {
      setTyped(search);
      setAsked([]);
    }
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
