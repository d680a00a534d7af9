import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { resetDrafts } from '@/entities/chat/drafts';
import { resetOutbox } from '@/entities/chat/outbox';
import { answerConfirmation } from '@/entities/user/second-factor/confirmation';
import { resetShortcuts } from '@/features/admin/shortcuts/shortcuts-setting';
import { resetAttachments } from '@/features/deals/delivery/attachments';
import { setLanguage } from '@/i18n';
import { resetLive, sendOver, setConnection } from '@/lib/realtime/live';
import * as reload from '@/lib/reload';
import { resetClock } from '@/lib/server-clock';
import { enableStorage } from '@/lib/storage';
import { resetTheme } from '@/lib/theme';
import { deliverNotices } from '@/lib/toast';
import * as realtime from '@/realtime/start';
import { getComputedStyle } from './computed-style';
import { renewQueryClient } from './query-client';
import { expectContractKept, notices } from './recorded';
import { server } from './server';

// There are no service workers in jsdom, and what a page keeps for offline has tests of its own.
vi.mock('@/features/shell/start-away', () => ({ startAway: () => undefined }));
// There are no authenticators in jsdom.
vi.mock('@simplewebauthn/browser', () => ({ startAuthentication: vi.fn(), startRegistration: vi.fn() }));
// What is said is collected below instead of drawn.
vi.mock('@/features/shell/toaster/toaster', () => ({ default: () => null }));

// The first page of a file loads its code: a loaded machine is no failure.
configure({ asyncUtilTimeout: 20_000 });

/** Nothing has a size in jsdom, and so nothing changes it. */
class NoResize {
  observe = vi.fn();
  unobserve = vi.fn();
  disconnect = vi.fn();
}

/** That of jsdom, which a test may change. */
const WIDTH = 1024;

/** A window as wide as `window.innerWidth` says; "resize" tells of another. */
const matchMedia = (query: string) => ({
  get matches() {
    const [from, to] = [/min-width: ([\d.]+)px/, /max-width: ([\d.]+)px/].map((bound) => bound.exec(query)?.[1]);
    return window.innerWidth >= Number(from ?? 0) && window.innerWidth <= Number(to ?? Infinity);
  },
  addEventListener: (_: 'change', listener: () => void) => window.addEventListener('resize', listener),
  removeEventListener: (_: 'change', listener: () => void) => window.removeEventListener('resize', listener),
});

// Libraries reach the window by either name.
for (const view of [window, document.defaultView]) Object.assign(view ?? {}, { getComputedStyle });

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  resetShortcuts();
  resetTheme();
  notices.length = 0;
  deliverNotices((notice) => notices.push(notice));
  window.innerWidth = WIDTH;
  // Nothing is loaded anew in jsdom.
  vi.spyOn(reload, 'reloadFromHome').mockReturnValue(undefined);
  // Only the tests of the socket have one.
  vi.spyOn(realtime, 'startRealtime').mockReturnValue(undefined);
  // What jsdom lacks.
  vi.stubGlobal('scrollTo', vi.fn());
  Element.prototype.scrollIntoView = vi.fn();
  vi.stubGlobal('ResizeObserver', NoResize);
  vi.stubGlobal('matchMedia', matchMedia);
  Element.prototype.hasPointerCapture = vi.fn(() => false);
  await setLanguage('en');
});

afterEach(async () => {
  cleanup();
  renewQueryClient();
  resetOutbox();
  resetDrafts();
  resetAttachments();
  resetClock();
  answerConfirmation(false);
  enableStorage(true);
  resetLive();
  setConnection('connecting');
  sendOver(null);
  server.resetHandlers();
  await expectContractKept();
});
