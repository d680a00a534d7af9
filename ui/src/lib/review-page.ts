import { api, sendList } from './api';
import type { DayRange } from './period';

/** The reviews that a user has received in a range of days, all without one: a page of ten. */
export const reviewPage = (user: string, range: DayRange, page: number, signal: AbortSignal) =>
  sendList(api.GET('/reviews', { params: { query: { user, ...range, page, limit: 10 } }, signal }));
