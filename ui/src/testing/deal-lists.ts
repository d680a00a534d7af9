import { HttpResponse, http } from 'msw';
import type { Deal, DealStatus, DealTotals } from '@/api/contract';
import { server } from './server';

const STATUSES: DealStatus[] = [
  ...(['Pending', 'Active', 'Late', 'Delivered', 'Completed'] as const),
  ...(['Cancelled', 'Cancelled by Buyer', 'Cancelled by Seller'] as const),
];
const MONTHS = ['2026-06', '2026-07', '2026-08', '2026-09', '2026-10', '2026-11'];

/** The server's totals of these deals, without completed sums. */
export function totalsOf(deals: readonly Deal[]): DealTotals {
  return {
    statuses: STATUSES.map((status) => ({ status, deals: deals.filter((deal) => deal.status === status).length })),
    completed: MONTHS.map((month) => ({ month, price: 0 })),
  };
}

/** A page of rows as the server sends it, at most a hundred. */
export function pageOf(rows: readonly object[], { searchParams }: URL): Response {
  const paged = searchParams.has('page') || searchParams.has('limit');
  const limit = Math.min(Number(searchParams.get('limit') ?? (paged ? 10 : 100)), 100);
  const from = (Number(searchParams.get('page') ?? 1) - 1) * limit;
  return HttpResponse.json(rows.slice(from, from + limit), { headers: { 'X-Total-Count': String(rows.length) } });
}

/** Serves these as the user's deals. */
export function dealsAre(...deals: Deal[]): void {
  server.use(
    http.get('*/api/deals/my-deals', ({ request }) => {
      const url = new URL(request.url);
      const wanted = url.searchParams.getAll('status');
      return pageOf(
        deals.filter(({ status }) => wanted.length === 0 || wanted.includes(status)),
        url,
      );
    }),
    http.get('*/api/deals/totals', () => HttpResponse.json(totalsOf(deals))),
  );
}
