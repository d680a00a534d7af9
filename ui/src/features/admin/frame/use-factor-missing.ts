import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { useMe } from '@/entities/user/queries';
import { isApiError } from '@/lib/errors';

/** The server refuses this admin's queries until they set up two-step login. */
export function useFactorMissing(): boolean {
  const { secondFactor } = useMe();
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback((changed: () => void) => cache.subscribe(changed), [cache]);
  const refused = useSyncExternalStore(subscribe, () =>
    cache.getAll().some(({ state }) => isApiError(state.error, 'second_factor_missing')),
  );
  return refused && !secondFactor;
}
