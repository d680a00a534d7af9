import type { QueryClient } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { isApiError } from '@/lib/errors';

export function refreshRate(queryClient: QueryClient, error: unknown): void {
  if (isApiError(error, 'rate_changed')) void queryClient.invalidateQueries({ queryKey: keys.rate, exact: true });
}
