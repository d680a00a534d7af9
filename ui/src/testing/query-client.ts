import type { QueryKey } from '@tanstack/react-query';
import { act, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { createQueryClient } from '@/lib/query-client';

/** The query client of the test that runs. Importers see each new one: they import the variable, not its value. */
export let queryClient = createQueryClient();

/** A page with an empty cache, as each test begins with. What the one before still waits for comes to nothing. */
export function renewQueryClient(): void {
  queryClient.clear();
  queryClient = createQueryClient();
}

/** The answer to a query has come and is on the page, also where the page has nothing to say about it. */
export async function answered(queryKey: QueryKey): Promise<void> {
  await waitFor(() => expect(queryClient.getQueryState(queryKey)?.status).toBe('success'));
  // Whoever shows it hears of it in a task of its own.
  await act(() => new Promise<void>((resolve) => setTimeout(resolve)));
}
