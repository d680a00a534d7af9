import { searchParams, uuid } from '@/lib/search-params';

/** `deal` is the deal that the deposit is for. */
export const followSearch = searchParams({ deal: uuid });
