import { searchParams, uuid } from '@/lib/search-params';

/** The address of a deposit: `deal` is the deal that it is for. */
export const followSearch = searchParams({ deal: uuid });
