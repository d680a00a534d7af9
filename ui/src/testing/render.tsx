import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { App } from '@/app';
import { createAppRouter } from '@/router';
import { queryClient } from './query-client';

/**
 * Renders the whole application at an address, with guards, loaders and the test's query client.
 */
export function renderAt(path: string) {
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [path] }));
  render(<App router={router} />);
  return { router, user: userEvent.setup() };
}

/** Renders a component that needs no router. */
export function renderAlone(children: ReactNode) {
  return { ...render(<QueryClientProvider client={queryClient}>{children}</QueryClientProvider>), user: userEvent.setup() };
}
