import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { useMaybeMe } from '@/entities/user/queries';
import { translate } from '@/i18n';
import { saved as texts } from '@/i18n/en/saved';
import { api, send } from '@/lib/api';
import { writeThrough } from '@/lib/write-through';

export const savedListKey = [...keys.posts, 'saved', 'list'] as const;

/** The ids of all posts that the user has saved, which mark the hearts of every list. */
const savedIdsQuery = queryOptions({
  queryKey: [...keys.posts, 'saved', 'ids'] as const,
  queryFn: ({ signal }) => send(api.GET('/posts/saved/ids', { signal })),
  staleTime: 60_000,
  meta: { quiet: true },
});

function mark(queryClient: QueryClient, id: string, saved: boolean): void {
  writeThrough<string[]>(queryClient, savedIdsQuery.queryKey, (ids) => {
    const others = ids.filter((other) => other !== id);
    return saved ? [id, ...others] : others;
  });
}

/** Whether the user has saved a post, and how to change that, shown before the server answers. */
export function useSaved(id: string) {
  const queryClient = useQueryClient();
  const me = useMaybeMe();
  const { data } = useQuery({ ...savedIdsQuery, enabled: me !== null });
  const { mutate } = useMutation({
    mutationFn: (save: boolean) => {
      const params = { params: { path: { id } } };
      return send(save ? api.PUT('/posts/{id}/saved', params) : api.DELETE('/posts/{id}/saved', params));
    },
    // In the order of the presses.
    scope: { id: `saved-${id}` },
    meta: { fallback: () => translate(texts, 'failed') },
    onMutate: (save) => mark(queryClient, id, save),
    onError: (_error, save) => mark(queryClient, id, !save),
    // The page of the saved posts keeps what was removed until it is opened again.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: savedListKey, refetchType: 'none' }),
  });
  return { saved: data?.includes(id) ?? false, save: mutate };
}
