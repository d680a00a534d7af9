import { createStore, useSelector } from '@tanstack/react-store';
import { useEffect } from 'react';

let offset = 0;
let measured = false;

/** Called with the Date header of every answer: the business time of the server, whatever the device's clock says. */
export function noteServerTime(header: string | null): void {
  const server = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(server)) return;
  const seen = server - Date.now();
  // The header has whole seconds and the network takes time: small differences are noise, not a change of the clock.
  if (measured && Math.abs(seen - offset) < 2_000) return;
  offset = seen;
  measured = true;
  tick();
}

/** Milliseconds since the epoch by the server's clock. */
export function serverNow(): number {
  return Date.now() + offset;
}

const TICK = 15_000;
const now = createStore(serverNow());
/** The clocks on the page: it ticks while there are any. */
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

/** For tests: the server's time is the device's again. */
export function resetClock(): void {
  offset = 0;
  measured = false;
  tick();
}

/** The server's time, from one ticker shared by every clock on the page, so that they all turn together. */
export function useNow(): number {
  if (import.meta.env.SSR) throw new Error('the time is not known where a page is prerendered');
  useEffect(keepTicking, []);
  return useSelector(now);
}
