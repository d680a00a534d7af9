import { type RefObject, useEffect, useState } from 'react';

const DELAY = 300;

/**
 * The text of a search box bound to the address. Input goes to the address after a pause or on
 * Enter; other changes of the address (Back, a link) replace the text.
 */
export function useSearchBox(
  address: string,
  field: RefObject<HTMLInputElement | null>,
  go: (text: string, how: 'paused' | 'entered') => void,
) {
  const [typed, setTyped] = useState(address);
  const [sent, setSent] = useState(address);
  const [seen, setSeen] = useState(address);
  // Input from before hydration. Set in an effect, because the first render must match the
  // prerendered page.
  useEffect(() => {
    // eslint-disable-next-line react-hooks/set-state-in-effect
    if (field.current?.value) setTyped(field.current.value);
  }, [field]);
  if (address !== seen) {
    setSeen(address);
    // The answer to this box's own change; more may have been typed since.
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
    // Only typing restarts the pause.
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
