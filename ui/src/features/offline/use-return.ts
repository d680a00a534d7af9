import { useEffect, useEffectEvent } from 'react';

const SECOND = 1_000;
const FIRST_DELAY = SECOND;
const MAX_DELAY = 30 * SECOND;
const TIMEOUT = 10 * SECOND;

/** The service worker passes HEAD to the network. A proxy without a server answers 5xx. */
async function isReachable(signal: AbortSignal): Promise<boolean> {
  try {
    const { status } = await fetch(window.location.href, { method: 'HEAD', cache: 'no-store', signal });
    return status < 500;
  } catch {
    return false;
  }
}

/**
 * Calls `onReturn` once the site can be reached. The browser's `online` event is not enough: it may
 * fire before this page has loaded or before the network works, and not at all if the device stayed
 * connected to a network without internet. So the page asks on that event, when it becomes visible,
 * and at growing intervals while it is visible.
 */
export function useReturn(onReturn: () => void): void {
  const returned = useEffectEvent(onReturn);
  useEffect(() => {
    let delay = FIRST_DELAY;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current: AbortController | undefined;

    const stop = () => {
      clearTimeout(timer);
      current?.abort();
      current = undefined;
    };
    const wait = () => {
      timer = setTimeout(() => void ask(), delay);
      delay = Math.min(2 * delay, MAX_DELAY);
    };
    // A reload would cancel another navigation. If that fails, this page keeps asking.
    const leave = () => {
      stop();
      delay = MAX_DELAY;
      wait();
    };
    const ask = async () => {
      stop();
      if (document.visibilityState === 'hidden') return;
      const request = new AbortController();
      current = request;
      timer = setTimeout(() => request.abort(), TIMEOUT);
      const reachable = await isReachable(request.signal);
      if (current !== request) return;
      stop();
      if (reachable) returned();
      else wait();
    };
    const hurry = () => {
      delay = FIRST_DELAY;
      void ask();
    };

    window.addEventListener('online', hurry);
    document.addEventListener('visibilitychange', hurry);
    window.addEventListener('beforeunload', leave);
    wait();
    return () => {
      window.removeEventListener('online', hurry);
      document.removeEventListener('visibilitychange', hurry);
      window.removeEventListener('beforeunload', leave);
      stop();
    };
  }, []);
}
