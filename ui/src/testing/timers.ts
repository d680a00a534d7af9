import { act } from '@testing-library/react';
import { vi } from 'vitest';

/** Holds timers of this delay back until `end`, however busy the machine is. */
export function holdTimers(delay: number) {
  const held: (() => void)[] = [];
  const start = globalThis.setTimeout;
  const hold = (run: () => void, after?: number) => (after === delay ? held.push(run) : start(run, after));
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(hold as typeof setTimeout);
  return { end: () => act(() => held.splice(0).forEach((run) => run())) };
}
