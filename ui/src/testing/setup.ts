import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { answerConfirmation } from '@/entities/user/second-factor/confirmation';
import { resetShortcuts } from '@/features/admin/shortcuts/shortcuts';
import { setLanguage } from '@/i18n';
import { resetLive, sendOver, setConnection } from '@/lib/realtime/live';
import * as reload from '@/lib/redirect';
import { resetClock } from '@/lib/server-clock';
import { enableStorage } from '@/lib/storage';
import { clearStorage } from '@/lib/storage-owner';
import { resetTheme } from '@/lib/theme';
import { deliverNotices } from '@/lib/toast';
import * as realtime from '@/realtime/start';
import { getComputedStyle } from './computed-style';
import { renewQueryClient } from './query-client';
import { expectContractKept, notices } from './recorded';
import { server } from './server';
import { slow } from './slow';

// jsdom has no service workers, and last-seen data have tests of their own.
vi.mock('@/features/shell/start-away', () => ({ startAway: () => undefined }));
// jsdom has no authenticators.
vi.mock('@simplewebauthn/browser', () => ({ startAuthentication: vi.fn(), startRegistration: vi.fn() }));
// Toasts are recorded below instead of rendered.
vi.mock('@/features/shell/toaster/toaster', () => ({ default: () => null }));

// The first page of a file loads its code, which takes long on a busy machine.
configure({ asyncUtilTimeout: 20_000, reactStrictMode: true });

/** Nothing has a size in jsdom. */
class NoResize {
  observe = vi.fn();
  unobserve = vi.fn();
  disconnect = vi.fn();
}

/** jsdom's width, which a test may change. */
const WIDTH = 1024;

/** Evaluates width queries by `window.innerWidth`, and on "resize". */
const matchMedia = (query: string) => ({
  get matches() {
    const [from, to] = [/min-width: ([\d.]+)px/, /max-width: ([\d.]+)px/].map((bound) => bound.exec(query)?.[1]);
    return window.innerWidth >= Number(from ?? 0) && window.innerWidth <= Number(to ?? Infinity);
  },
  addEventListener: (_: 'change', listener: () => void) => window.addEventListener('resize', listener),
  removeEventListener: (_: 'change', listener: () => void) => window.removeEventListener('resize', listener),
});

// Libraries use either name of the window.
for (const view of [window, document.defaultView]) Object.assign(view ?? {}, { getComputedStyle });

/** Resets what modules and the browser keep, because test files share both. */
function resetAll(): void {
  renewQueryClient();
  localStorage.clear();
  sessionStorage.clear();
  clearStorage(); // drafts, unsent messages and chosen pictures in memory
  enableStorage(true);
  resetShortcuts();
  resetTheme();
  resetClock();
  resetLive();
  setConnection('connecting');
  sendOver(null);
  answerConfirmation(false);
}

beforeAll(() => {
  server.listen({ onUnhandledRequest: 'error' });
  const { fetch } = globalThis;
  // StrictMode mounts twice, and requests of the first mount are aborted at once. msw would answer.
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    await slow(250);
    request.signal.throwIfAborted();
    return fetch(request);
  };
});
afterAll(() => server.close());

beforeEach(async () => {
  notices.length = 0;
  deliverNotices((notice) => notices.push(notice));
  window.innerWidth = WIDTH;
  // jsdom cannot reload.
  vi.spyOn(reload, 'reloadFromHome').mockReturnValue(undefined);
  // Only the socket's tests have a socket.
  vi.spyOn(realtime, 'startRealtime').mockReturnValue(undefined);
  // jsdom lacks these.
  vi.stubGlobal('scrollTo', vi.fn());
  Element.prototype.scrollIntoView = vi.fn();
  vi.stubGlobal('ResizeObserver', NoResize);
  vi.stubGlobal('matchMedia', matchMedia);
  Element.prototype.hasPointerCapture = vi.fn(() => false);
  await setLanguage('en');
});

afterEach(async () => {
  cleanup();
  resetAll();
  server.resetHandlers();
  await expectContractKept();
});
