import { api, sendList } from '@/lib/api';
import type { DayRange } from '@/lib/period';

/** The reviews a user received in a range of days, ten a page. */
export const fetchReviews = (user: string, range: DayRange, page: number, signal: AbortSignal) =>
  sendList(api.GET('/reviews', { params: { query: { user, ...range, page, limit: 10 } }, signal }));
