import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { User } from '@/api/contract';
import { lazyPart } from '@/components/lazy-part';
import { Button } from '@/components/ui/button';
import { DIALOG } from '@/components/ui/overlay';
import { leavePage, watchPageOwner } from '@/entities/user/page-owner';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { member } from '@/i18n/en/user';
import { onSessionEnd } from '@/lib/query-client';
import { dropStored, LAST_SEEN } from '@/lib/storage-owner';
import { watchRotations } from './token-rotation';

const open = (dialog: HTMLDialogElement | null) => dialog?.showModal();

/**
 * Stands in for the login dialog if its code cannot be loaded: a link to the login page and back,
 * in the browser's own dialog, which needs no code and covers any other.
 */
function SessionEndedNote() {
  const t = useTexts(member);
  const tShell = useTexts(shell);
  const { href } = useLocation();
  return createPortal(
    <dialog
      ref={open}
      className={`${DIALOG} pointer-events-auto`}
      aria-label={t('ended.title')}
      onClose={({ currentTarget }) => open(currentTarget)}
    >
      <h2 className="font-display text-display-sm">{t('ended.title')}</h2>
      <p className="mt-4 text-muted-foreground">{t('ended.text')}</p>
      <Button asChild className="mt-4">
        <a href={`/login?redirect=${encodeURIComponent(href)}`}>{tShell('login')}</a>
      </Button>
    </dialog>,
    document.body,
  );
}

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
