import { queryOptions } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';

export const postQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.posts, 'one', id] as const,
    queryFn: ({ signal }) => send(api.GET('/posts/{id}', { params: { path: { id } }, signal })),
    meta: { quiet: true },
  });
