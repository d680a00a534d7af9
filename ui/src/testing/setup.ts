import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { setLanguage } from '@/i18n';
import { queryClient } from '@/lib/query-client';
import { deliverNotices, type Notice } from '@/lib/toast';
import { server } from './server';

// What is said is collected below instead of drawn.
vi.mock('@/components/ui/toaster', () => ({ default: () => null }));

// The first page of a file loads its code: a loaded machine is no failure.
configure({ asyncUtilTimeout: 5_000 });

/** What was said in toasts since the test began. */
export const notices: Notice[] = [];

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

beforeEach(async () => {
  localStorage.clear();
  notices.length = 0;
  deliverNotices((notice) => notices.push(notice));
  // What jsdom lacks.
  vi.stubGlobal('scrollTo', vi.fn());
  Element.prototype.scrollIntoView = vi.fn();
  Element.prototype.hasPointerCapture = vi.fn(() => false);
  await setLanguage('en');
});

afterEach(() => {
  cleanup();
  queryClient.clear();
  server.resetHandlers();
});
