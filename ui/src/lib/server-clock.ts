import { createStore, useSelector } from '@tanstack/react-store';
import { useEffect } from 'react';

let offset = 0;
let measured = false;

/** The header has whole seconds: smaller differences are noise, not a change of the clock. */
const NOISE = 2_000;

/**
 * Called with the Date header of every answer and when its request was sent by the device's clock: the business time of the server, whatever the
 * device's clock says.
 */
export function noteServerTime(header: string | null, sentAt: number): void {
  const server = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(server)) return;
  // The server answered at some time since the request was sent: an answer that was long on its way says no more than that.
  const [least, most] = [server - Date.now(), server - sentAt];
  if (measured && offset > least - NOISE && offset < most + NOISE) return;
  offset = least;
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
