import { hashKey, type QueryClient } from '@tanstack/react-query';
import type { User } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import { ApiError } from '@/lib/errors';
import { perClient } from '@/lib/per-client';
import { sessionEnded } from '@/lib/query-client';
import { resetLive, sendOver, setConnection } from '@/lib/realtime/live';
import { LiveSocket } from '@/lib/realtime/socket';
import { apply, applyGap } from './events';

/** Without a socket for so long, all is refetched; the random delay spreads the clients. */
const REFETCH_DELAY_MIN = 5_000;
const REFETCH_DELAY_MAX = 15_000;

type Live = { userId: string; socket: LiveSocket };

type Page = { live: Live | null; refetchTimer: ReturnType<typeof setTimeout> | undefined; following: boolean };

const pageOf = perClient((): Page => ({ live: null, refetchTimer: undefined, following: false }));

function clearRefetchTimer(page: Page): void {
  clearTimeout(page.refetchTimer);
  page.refetchTimer = undefined;
}

/** Checks the session after the server ended it or connecting kept failing. */
async function checkSession(queryClient: QueryClient, of: Live): Promise<void> {
  const isCurrent = () => pageOf(queryClient).live === of;
  let user: User;
  try {
    user = await send(api.GET('/auth/check'));
  } catch (error) {
    // Ignored after a logout.
    if (!isCurrent() || !(error instanceof ApiError && error.status === 401)) return;
    of.socket.pause();
    sessionEnded(queryClient);
    return;
  }
  if (isCurrent()) queryClient.setQueryData(keys.me, user);
}

function connect(queryClient: QueryClient, user: User): Live {
  const page = pageOf(queryClient);
  const gap = () => applyGap(queryClient);
  const socket = new LiveSocket(user.eventSeq, {
    frame: (frame) => apply(queryClient, frame),
    gap,
    open: () => {
      clearRefetchTimer(page);
      setConnection('open');
    },
    lost: () => {
      page.refetchTimer ??= setTimeout(gap, REFETCH_DELAY_MIN + Math.random() * (REFETCH_DELAY_MAX - REFETCH_DELAY_MIN));
      resetLive();
      setConnection('lost');
    },
    ended: () => void checkSession(queryClient, mine),
    failing: () => void checkSession(queryClient, mine),
  });
  const mine = { userId: user._id, socket };
  sendOver((type, data) => socket.send(JSON.stringify({ type, data })));
  return mine;
}

function stopLive(page: Page): void {
  page.live?.socket.stop();
  page.live = null;
  sendOver(null);
  resetLive();
  clearRefetchTimer(page);
  setConnection('connecting');
}

/** Connects the current user once, and resumes the socket after a new login. */
function follow(queryClient: QueryClient, user: User | null | undefined): void {
  const page = pageOf(queryClient);
  if (page.live && page.live.userId === user?._id) {
    page.live.socket.resume();
    return;
  }
  if (page.live) stopLive(page);
  if (user) page.live = connect(queryClient, user);
}

const ME = hashKey(keys.me);

/** Connects the page's user, and follows later logins and logouts. */
export function startRealtime(queryClient: QueryClient): void {
  const page = pageOf(queryClient);
  follow(queryClient, queryClient.getQueryData<User | null>(keys.me));
  if (page.following) return;
  page.following = true;
  queryClient.getQueryCache().subscribe((event) => {
    if (event.query.queryHash !== ME) return;
    if (event.type === 'removed') follow(queryClient, null);
    else if (event.type === 'updated' && event.action.type === 'success')
      follow(queryClient, event.query.state.data as User | null);
  });
}
