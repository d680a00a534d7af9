import type { QueryKey } from '@tanstack/react-query';
import { act, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { createQueryClient } from '@/lib/query-client';

/** The query client of the current test. Import the variable, since its value changes. */
export let queryClient = createQueryClient();

/** Empties the cache before each test, and drops what the last test waits for. */
export function renewQueryClient(): void {
  queryClient.clear();
  queryClient = createQueryClient();
}

/** Waits until a query is answered and rendered. */
export async function answered(queryKey: QueryKey): Promise<void> {
  await waitFor(() => expect(queryClient.getQueryState(queryKey)?.status).toBe('success'));
  // Subscribers are notified in a task of their own.
  await act(() => new Promise<void>((resolve) => setTimeout(resolve)));
}
