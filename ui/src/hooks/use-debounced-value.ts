import { useEffect, useState } from 'react';

/** docs/rules.md#timings */
const DELAY = 300;

export function useDebouncedValue(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), DELAY);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
