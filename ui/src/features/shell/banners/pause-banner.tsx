import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';

const MINUTE = 60_000;

// Seldom is anything paused. Without its code the page is whole, too: what is paused says so itself.
const PauseNotice = lazy(() => import('./pause-notice').catch(() => ({ default: () => <></> })));

/** Says what the operator has paused, within a minute. */
export function PauseBanner() {
  const { data } = useQuery({
    queryKey: keys.pauses,
    queryFn: ({ signal }) => send(api.GET('/public/pauses', { signal })),
    staleTime: MINUTE,
    refetchInterval: MINUTE,
    meta: { quiet: true },
  });
  if (!data || data.paused.length === 0) return null;
  return (
    <Suspense>
      <PauseNotice areas={data.paused.map(({ area }) => area)} />
    </Suspense>
  );
}
