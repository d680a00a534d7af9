/** A pending request counts as neither good nor bad. */
export function earlierRequests(
  history: { completed: number; total: number },
  waiting: boolean,
): { good: number; total: number } {
  const total = waiting ? history.total - 1 : history.total;
  return { good: history.completed, total: Math.max(total, history.completed) };
}
