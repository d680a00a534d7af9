import type { QueryClient } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { isApiError } from '@/lib/errors';

/** After a refusal because of the rate, the form shows what the amount comes to at the present one. */
export function refreshRate(queryClient: QueryClient, error: unknown): void {
  if (isApiError(error, 'rate_changed')) void queryClient.invalidateQueries({ queryKey: keys.rate, exact: true });
}
