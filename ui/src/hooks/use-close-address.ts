import { type ParsedLocation, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { historyIndex } from '@/prerender/router-internals';

type Place = { open: boolean; index: number; rest: string };

function placeOf(location: ParsedLocation, name: string): Place {
  const { [name]: opened, ...rest } = location.search as Record<string, unknown>;
  return { open: opened !== undefined, index: historyIndex(location), rest: JSON.stringify(rest) };
}

/**
 * For a dialog or drawer that the search parameter `name` opens. Opening pushes an entry; closing
 * goes back over it if it was pushed from this page, so that Back never leads to the same page. If
 * it was open from the start, or the other parameters have changed since, `replace` removes the
 * parameter.
 */
export function useCloseAddress(name: string): (replace: () => void) => void {
  const router = useRouter();
  const location = useRouterState({ select: (state) => state.location });
  /** The last place with nothing open. */
  const closed = useRef<Place | null>(null);
  const left = useRef<ParsedLocation | null>(null);
  useEffect(() => {
    const place = placeOf(location, name);
    if (!place.open) closed.current = place;
  }, [location, name]);
  return (replace) => {
    // The current location, because a form closes its dialog when the response arrives.
    const { location: now } = router.state;
    const place = placeOf(now, name);
    // Ignores a second close before the browser has gone back.
    if (!place.open || left.current === now) return;
    left.current = now;
    const { current: before } = closed;
    if (before?.index === place.index - 1 && before.rest === place.rest) router.history.back();
    else replace();
  };
}
