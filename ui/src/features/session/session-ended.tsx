import { useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { User } from '@/api/contract';
import { keys, useMe } from '@/lib/queries';
import { queryClient, whenSessionEnds } from '@/lib/query-client';
import { HOME } from '@/lib/redirect';

// The form and its validation are only needed when it happens.
const EndedDialog = lazy(() => import('./ended-dialog'));

/** When the session ends under a page, its user logs in again over it, and what was typed is still there. */
export function SessionEnded() {
  const me = useMe();
  const router = useRouter();
  const [ended, setEnded] = useState(false);
  useEffect(() => {
    whenSessionEnds(() => setEnded(true));
    return () => whenSessionEnds(null);
  }, []);
  if (!ended) return null;
  const resume = (user: User) => {
    setEnded(false);
    if (user._id === me._id) void queryClient.invalidateQueries().then(() => router.invalidate());
    // Somebody else: nothing of the former user's may stay on the page.
    else window.location.assign(HOME);
  };
  const leave = () => {
    queryClient.setQueryData(keys.me, null);
    void router.navigate({ to: '/login' });
  };
  return (
    <Suspense>
      <EndedDialog username={me.username} onResume={resume} onLeave={leave} />
    </Suspense>
  );
}
