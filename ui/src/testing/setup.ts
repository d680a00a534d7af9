import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { setLanguage } from '@/i18n';
import { forgetOwner } from '@/lib/page-owner';
import { queryClient } from '@/lib/query-client';
import { deliverNotices, type Notice } from '@/lib/toast';
import { server } from './server';

// Only the tests of the socket have one.
vi.mock('@/lib/realtime/start', () => ({ startLive: () => undefined }));
// Nothing is loaded anew in jsdom.
vi.mock('@/lib/start-over', () => ({ startOver: vi.fn() }));
// What is said is collected below instead of drawn.
vi.mock('@/components/ui/toaster', () => ({ default: () => null }));

// The first page of a file loads its code: a loaded machine is no failure.
configure({ asyncUtilTimeout: 10_000 });

/** What was said in toasts since the test began. */
export const notices: Notice[] = [];

/** Nothing has a size in jsdom, and so nothing changes it. */
class NoResize {
  observe = vi.fn();
  unobserve = vi.fn();
  disconnect = vi.fn();
}

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  notices.length = 0;
  deliverNotices((notice) => notices.push(notice));
  // What jsdom lacks.
  vi.stubGlobal('scrollTo', vi.fn());
  Element.prototype.scrollIntoView = vi.fn();
  vi.stubGlobal('ResizeObserver', NoResize);
  Element.prototype.hasPointerCapture = vi.fn(() => false);
  await setLanguage('en');
});

afterEach(() => {
  cleanup();
  queryClient.clear();
  forgetOwner();
  server.resetHandlers();
});
