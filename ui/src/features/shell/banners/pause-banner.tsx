import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { lazyPart } from '@/components/lazy-part';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';

const MINUTE = 60_000;

// Without it, refused calls still say what is paused.
const PauseNotice = lazyPart(() => import('./pause-notice').catch(() => ({ default: () => <></> })));

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
