import type { Change } from './pages';

const watching = new Set<Change[]>();

/** Takes a change down for every load that is under way. */
export function noteChange(change: Change): void {
  for (const changes of watching) changes.push(change);
}

/**
 * Loads something and applies to the answer what happened meanwhile: an event that overtakes the answer to a request made before it would
 * be undone by it.
 */
export async function loadMeanwhile<T>(load: () => Promise<T>, apply: (loaded: T, change: Change) => T): Promise<T> {
  const changes: Change[] = [];
  watching.add(changes);
  try {
    return changes.reduce(apply, await load());
  } finally {
    watching.delete(changes);
  }
}
