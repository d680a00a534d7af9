import { useEffect, useState } from 'react';

/** The pause after which a search begins (docs/rules.md#timings). */
const DELAY = 300;

/** The text as it was when the typing paused. */
export function useDebouncedValue(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), DELAY);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
