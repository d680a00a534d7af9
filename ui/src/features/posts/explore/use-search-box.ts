import { type RefObject, useEffect, useState } from 'react';

const DELAY = 300;

/**
 * The text of a search box whose truth is the address: what is typed goes there when the typing pauses or with Enter, and what the address
 * says otherwise (Back, a link) comes into the box.
 */
export function useSearchBox(
  address: string,
  field: RefObject<HTMLInputElement | null>,
  go: (text: string, how: 'paused' | 'entered') => void,
) {
  const [typed, setTyped] = useState(address);
  const [sent, setSent] = useState(address);
  const [seen, setSeen] = useState(address);
  // What was typed into a prerendered page before it was hydrated; the first rendering must be as prerendered.
  useEffect(() => {
    // eslint-disable-next-line react-hooks/set-state-in-effect
    if (field.current?.value) setTyped(field.current.value);
  }, [field]);
  if (address !== seen) {
    setSeen(address);
    // An answer to what was sent; meanwhile more may have been typed.
    if (address !== sent) {
      setTyped(address);
      setSent(address);
    }
  }
  const wanted = typed.trim();
  const send = (text: string, how: 'paused' | 'entered') => {
    setSent(text);
    go(text, how);
  };
  useEffect(() => {
    if (wanted === sent) return;
    const timer = setTimeout(() => send(wanted, 'paused'), DELAY);
    return () => clearTimeout(timer);
    // Only typing starts the wait anew.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [wanted, sent]);
  return {
    typed,
    type: setTyped,
    enter: () => {
      if (wanted !== sent) send(wanted, 'entered');
    },
    clear: () => {
      setTyped('');
      if (sent !== '') send('', 'entered');
    },
  };
}
