import { transport } from '@/lib/api';

const ROTATING = /\/api\/auth\/(?:confirm|change)-password$/;

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

/** A read sent with the old token during a rotation is refused, and repeated with the new one. */
async function fetchInSession(request: Request): Promise<Response> {
  if (ROTATING.test(new URL(request.url).pathname)) return rotate(request);
  const before = underWay ? rotations - 1 : rotations;
  const again = request.method === 'GET' ? request.clone() : null;
  const answer = await globalThis.fetch(request);
  if (answer.status !== 401 || !again || rotations === before) return answer;
  await underWay;
  return globalThis.fetch(again);
}

/** Installs it for all requests of the page. */
export function watchRotations(): void {
  transport.fetch = fetchInSession;
}
