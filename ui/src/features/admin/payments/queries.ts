import { queryOptions } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import type { PaymentSearch } from '../admin-search';
import { listQuery, POLL } from '../queue/list-query';

export const accountsQuery = queryOptions({
  queryKey: [...keys.adminPayments, 'accounts'],
  queryFn: ({ signal }) => send(api.GET('/admin/receivers', { signal })),
  // No event tells that a phone is silent.
  refetchInterval: POLL,
  meta: { quiet: true },
});

export const driftQuery = queryOptions({
  queryKey: [...keys.adminPayments, 'drift'],
  queryFn: ({ signal }) => send(api.GET('/admin/drift', { signal })),
  meta: { quiet: true },
});

export function paymentsQuery({ tab, page }: PaymentSearch) {
  const choice = tab === undefined || tab === 'all' ? {} : { show: tab };
  return listQuery({
    key: [...keys.adminPayments, 'page'],
    choice,
    page,
    load: async (paged, signal) => {
      const query = { ...paged, ...choice };
      const { payments, total } = await send(api.GET('/admin/payments', { params: { query }, signal }));
      return { rows: payments, total };
    },
  });
}
