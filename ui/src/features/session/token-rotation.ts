import { transport } from '@/lib/api';

/** Calls after which the browser's session has another token. */
const ROTATING = /\/api\/auth\/(?:confirm|change)-password$/;

/** Their number so far, and the one that is under way. */
let rotations = 0;
let underWay: Promise<unknown> | null = null;

function rotate(request: Request): Promise<Response> {
  rotations++;
  const answer = globalThis.fetch(request);
  const ended = answer
    .catch(() => undefined)
    .finally(() => {
      if (underWay === ended) underWay = null;
    });
  underWay = ended;
  return answer;
}

/**
 * fetch, for a session whose token changes: a read that was sent with the old token while the new one was on its way is refused, and is sent
 * again with the new one. Nobody is logged out by it.
 */
async function fetchInSession(request: Request): Promise<Response> {
  if (ROTATING.test(new URL(request.url).pathname)) return rotate(request);
  const before = underWay ? rotations - 1 : rotations;
  const again = request.method === 'GET' ? request.clone() : null;
  const answer = await globalThis.fetch(request);
  if (answer.status !== 401 || !again || rotations === before) return answer;
  await underWay;
  return globalThis.fetch(again);
}

/** Has all requests of the page sent so. */
export function watchRotations(): void {
  transport.fetch = fetchInSession;
}
