import { queryOptions } from '@tanstack/react-query';
import type { CheckedPaper } from '@/api/contract';
import { api, send } from '@/lib/api';

export function checkQuery(code: string) {
  return queryOptions({
    queryKey: ['check', code] as const,
    queryFn: ({ signal }): Promise<CheckedPaper> => send(api.GET('/check/{code}', { params: { path: { code } }, signal })),
    meta: { quiet: true },
  });
}
