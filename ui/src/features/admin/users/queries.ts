import { queryOptions } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { api, send, sendList } from '@/lib/api';
import type { UserSearch } from '../admin-search';
import { listQuery, POLL } from '../queue/list-query';

const PICKER_SIZE = 8;
const meta = { quiet: true };

/** Users, newest first, filtered by name or address. */
export const usersQuery = ({ search = '', page }: UserSearch) =>
  listQuery({
    key: [...keys.adminUsers, 'page'],
    choice: { search },
    page,
    refetchInterval: POLL,
    load: (paged, signal) =>
      sendList(
        search === ''
          ? api.GET('/admin/users', { params: { query: paged }, signal })
          : api.GET('/admin/users/search', { params: { query: { ...paged, query: search } }, signal }),
      ),
  });

export const foundUsersQuery = (search: string) =>
  queryOptions({
    queryKey: [...keys.adminUsers, 'found', search],
    queryFn: ({ signal }) =>
      send(api.GET('/admin/users/search', { params: { query: { page: 1, limit: PICKER_SIZE, query: search } }, signal })),
    meta,
  });

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.adminUsers, 'one', id],
    queryFn: ({ signal }) => send(api.GET('/admin/users/{id}', { params: { path: { id } }, signal })),
    meta,
  });
