import { createStore, useSelector } from '@tanstack/react-store';
import { useEffect } from 'react';

let offset = 0;
let measured = false;

/** The header has whole seconds, so smaller differences are noise. */
const NOISE = 2_000;

/** Measures the server's clock by the Date header and the time of the request. */
export function noteServerTime(header: string | null, sentAt: number): void {
  const server = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(server)) return;
  // The server answered at some time since the request, so a slow response narrows this little.
  const [least, most] = [server - Date.now(), server - sentAt];
  if (measured && offset > least - NOISE && offset < most + NOISE) return;
  offset = least;
  measured = true;
  tick();
}

export function serverNow(): number {
  return Date.now() + offset;
}

const TICK = 15_000;
const now = createStore(serverNow());
/** The number of mounted clocks; the timer runs while there are any. */
let clocks = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now.setState(serverNow);
}

function keepTicking(): () => void {
  if (clocks === 0) {
    tick();
    timer = setInterval(tick, TICK);
  }
  clocks += 1;
  return () => {
    clocks -= 1;
    if (clocks === 0) clearInterval(timer);
  };
}

export function resetClock(): void {
  offset = 0;
  measured = false;
  tick();
}

/** The server's time, from one timer for all clocks of the page, so that they change together. */
export function useNow(): number {
  if (import.meta.env.SSR) throw new Error('the time is not known where a page is prerendered');
  useEffect(keepTicking, []);
  return useSelector(now);
}
