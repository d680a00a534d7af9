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

const loadDialog = () => import('./session-ended-dialog');
const EndedDialog = lazyPart(() => loadDialog().catch(() => ({ default: SessionEndedNote })));

/** For browsers without requestIdleCallback. */
const IDLE_DELAY = 3_000;

/** Loads the dialog in advance, since a deploy or a lost network may prevent it later. */
function useDialogAhead(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      loadDialog().catch(() => undefined);
    }, IDLE_DELAY);
    return () => clearTimeout(timer);
  }, []);
}

/** Opens a login over the page when its session ends. Only the same user finds their input. */
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
    if (user._id !== me._id) return; // the page is reloaded
    setEnded(false);
    void queryClient.invalidateQueries().then(() => router.invalidate());
  };
  return (
    <Suspense>
      <EndedDialog username={me.username} onResume={resume} onLeave={() => void leavePage(router)} />
    </Suspense>
  );
}
