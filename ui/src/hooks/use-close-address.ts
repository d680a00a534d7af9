import { type ParsedLocation, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { historyIndex } from '@/prerender/router-internals';

type Place = { open: boolean; index: number; rest: string };

/** Where the page stands in the history, whether the parameter is in its address, and what else is. */
function placeOf(location: ParsedLocation, name: string): Place {
  const { [name]: opened, ...rest } = location.search as Record<string, unknown>;
  return { open: opened !== undefined, index: historyIndex(location), rest: JSON.stringify(rest) };
}

/**
 * For a dialog or drawer that stands in the address as the parameter `name`. Opening it pushes an entry; closing it goes back over that entry where
 * it was pushed from this page, so that no press of Back leads to where one is already. Where it was open from the start, or the rest of the
 * address has changed since, `replace` takes it out of the address.
 */
export function useCloseAddress(name: string): (replace: () => void) => void {
  const router = useRouter();
  const location = useRouterState({ select: (state) => state.location });
  /** The last place at which nothing was open. */
  const closed = useRef<Place | null>(null);
  const left = useRef<ParsedLocation | null>(null);
  useEffect(() => {
    const place = placeOf(location, name);
    if (!place.open) closed.current = place;
  }, [location, name]);
  return (replace) => {
    // As it is by now: a form that was sent closes its dialog when the answer comes.
    const { location: now } = router.state;
    const place = placeOf(now, name);
    // Closed twice before the browser has gone back: once is enough.
    if (!place.open || left.current === now) return;
    left.current = now;
    const { current: before } = closed;
    if (before?.index === place.index - 1 && before.rest === place.rest) router.history.back();
    else replace();
  };
}
