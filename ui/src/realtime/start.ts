import { hashKey } from '@tanstack/react-query';
import type { User } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import { ApiError } from '@/lib/errors';
import { queryClient, sessionEnded } from '@/lib/query-client';
import { resetLive, sendOver, setConnection } from '@/lib/realtime/live';
import { LiveSocket } from '@/lib/realtime/socket';
import { apply, applyGap } from './events';

/**
 * With the socket there, the page asks seldom. Without it for so long, everything on the page is asked for once, and from then on often; not by all
 * people's pages in the same moment.
 */
const MISSING_LEAST = 5_000;
const MISSING_MOST = 15_000;

type Live = { userId: string; socket: LiveSocket };

let live: Live | null = null;
let missing: ReturnType<typeof setTimeout> | undefined;

function opened(): void {
  clearTimeout(missing);
  missing = undefined;
  setConnection('open');
}

function lost(): void {
  missing ??= setTimeout(applyGap, MISSING_LEAST + Math.random() * (MISSING_MOST - MISSING_LEAST));
  resetLive();
  setConnection('lost');
}

/** Whether there is still a session, when the server's word or its silence makes that doubtful. */
async function checkSession(of: Live): Promise<void> {
  let user: User;
  try {
    user = await send(api.GET('/auth/check'));
  } catch (error) {
    // After a logout that is no news.
    if (live !== of || !(error instanceof ApiError && error.status === 401)) return;
    of.socket.pause();
    sessionEnded();
    return;
  }
  if (live === of) queryClient.setQueryData(keys.me, user);
}

function connect(user: User): Live {
  const socket = new LiveSocket(user.eventSeq, {
    frame: apply,
    gap: applyGap,
    open: opened,
    lost,
    ended: () => void checkSession(mine),
    failing: () => void checkSession(mine),
  });
  const mine = { userId: user._id, socket };
  sendOver((type, data) => socket.send(JSON.stringify({ type, data })));
  return mine;
}

/** The page's user goes: no more events. */
function stopLive(): void {
  live?.socket.stop();
  live = null;
  sendOver(null);
  resetLive();
  clearTimeout(missing);
  missing = undefined;
  setConnection('connecting');
}

/** Connects whoever is the page's user now, once; one whose session had ended is connected again. */
function follow(user: User | null | undefined): void {
  if (live && live.userId === user?._id) {
    live.socket.resume();
    return;
  }
  if (live) stopLive();
  if (user) live = connect(user);
}

const ME = hashKey(keys.me);
let following = false;

/** Connects the page's user, and from then on whoever is; nobody after a logout. */
export function startRealtime(): void {
  follow(queryClient.getQueryData<User | null>(keys.me));
  if (following) return;
  following = true;
  queryClient.getQueryCache().subscribe((event) => {
    if (event.query.queryHash !== ME) return;
    if (event.type === 'removed') follow(null);
    else if (event.type === 'updated' && event.action.type === 'success') follow(event.query.state.data as User | null);
  });
}
