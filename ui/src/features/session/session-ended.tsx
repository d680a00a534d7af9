import { useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { User } from '@/api/contract';
import { leavePage, watchOwner } from '@/lib/page-owner';
import { useMe } from '@/lib/queries';
import { queryClient, whenSessionEnds } from '@/lib/query-client';
import { watchRotations } from '@/lib/rotation';
import { EndedNote } from './ended-note';

// The form and its validation are only needed when it happens.
const loadDialog = () => import('./ended-dialog');
const EndedDialog = lazy(() => loadDialog().catch(() => ({ default: EndedNote })));

/** When the page has nothing else to do. Not every browser tells. */
const LATER = 3_000;

/** By the time it happens the code may be gone since a deploy, or the network: it is fetched while there is time. */
function useDialogAhead(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      loadDialog().catch(() => undefined); // it is asked for again when it is wanted
    }, LATER);
    return () => clearTimeout(timer);
  }, []);
}

/** When the session ends under a page, its user logs in again over it, and what was typed is still there. Nobody else finds any of it. */
export function SessionEnded() {
  const me = useMe();
  const router = useRouter();
  const [ended, setEnded] = useState(false);
  useDialogAhead();
  useEffect(() => {
    watchOwner();
    watchRotations();
    whenSessionEnds(() => setEnded(true));
    return () => whenSessionEnds(null);
  }, []);
  if (!ended) return null;
  const resume = (user: User) => {
    if (user._id !== me._id) return; // the page begins anew
    setEnded(false);
    void queryClient.invalidateQueries().then(() => router.invalidate());
  };
  return (
    <Suspense>
      <EndedDialog username={me.username} onResume={resume} onLeave={() => void leavePage(router)} />
    </Suspense>
  );
}
