import { createQueryClient } from '@/lib/query-client';

/** The query client of the test that runs. Importers see each new one: they import the variable, not its value. */
export let queryClient = createQueryClient();

/** A page with an empty cache, as each test begins with. What the one before still waits for comes to nothing. */
export function renewQueryClient(): void {
  queryClient.clear();
  queryClient = createQueryClient();
}
