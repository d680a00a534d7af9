/** How many requests the user made before this one, and how many of them ended well. A waiting one is among the total, yet neither good nor bad. */
export function earlierRequests(
  history: { completed: number; total: number },
  waiting: boolean,
): { good: number; total: number } {
  const total = waiting ? history.total - 1 : history.total;
  return { good: history.completed, total: Math.max(total, history.completed) };
}
