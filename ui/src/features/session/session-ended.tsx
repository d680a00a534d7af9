import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import type { User } from '@/api/contract';
import { lazyPart } from '@/components/lazy-part';
import { leavePage, watchPageOwner } from '@/entities/user/page-owner';
import { useMe } from '@/entities/user/queries';
import { onSessionEnd } from '@/lib/query-client';
import { dropStored, LAST_SEEN } from '@/lib/storage-owner';
import { SessionEndedNote } from './session-ended-note';
import { watchRotations } from './token-rotation';

// The form and its validation are only needed when it happens.
const loadDialog = () => import('./session-ended-dialog');
const EndedDialog = lazyPart(() => loadDialog().catch(() => ({ default: SessionEndedNote })));

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
  const queryClient = useQueryClient();
  const me = useMe();
  const router = useRouter();
  const [ended, setEnded] = useState(false);
  useDialogAhead();
  useEffect(() => {
    watchPageOwner(queryClient);
    watchRotations();
    return onSessionEnd(queryClient, () => {
      dropStored(LAST_SEEN);
      setEnded(true);
    });
  }, [queryClient]);
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
