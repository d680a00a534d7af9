import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory } from '@tanstack/react-router';
import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { expect } from 'vitest';
import { App } from '@/app';
import { sessionEnded } from '@/lib/query-client';
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

/** Ends the session of the page. A public page notices it only once the code for that is loaded. */
export async function endSession(role: 'alertdialog' | 'dialog' = 'alertdialog') {
  await waitFor(() => {
    act(() => sessionEnded(queryClient));
    expect(screen.getByRole(role, { name: 'Your session has ended.' })).toBeVisible();
  });
}

/** Waits for the words of the alert, which some pages have empty from the start. */
export const alertSays = (words: string | RegExp) => waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(words));

/** Renders a component that needs no router. */
export function renderAlone(children: ReactNode) {
  return { ...render(<QueryClientProvider client={queryClient}>{children}</QueryClientProvider>), user: userEvent.setup() };
}
