import { queryOptions } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';

/** One post, as everybody sees it. */
export const postQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.posts, 'one', id] as const,
    queryFn: ({ signal }) => send(api.GET('/posts/{id}', { params: { path: { id } }, signal })),
    meta: { quiet: true },
  });
