import type { PushDevice } from '@/api/contract';
import { api, send } from '@/lib/api';
import { activeRegistration } from '@/lib/service-worker';
import { dropStored, PUSHES } from '@/lib/storage';

const RENEWED_EVERY = 60 * 60 * 1_000;

/** Whether this browser can show pushes: not at all, once the site is installed, not as long as its user forbids it, or yes. */
export type PushState = 'missing' | 'install' | 'blocked' | 'ready';

export const isIos = (): boolean => /iPhone|iPad|iPod/.test(navigator.userAgent);

export function pushState(): PushState {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return isIos() ? 'install' : 'missing';
  return Notification.permission === 'denied' ? 'blocked' : 'ready';
}

/** The browser's user did not allow it. */
export class PushDeclined extends Error {
  override readonly name = 'PushDeclined';
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

const sameBytes = (one: ArrayBuffer | null | undefined, other: Uint8Array): boolean =>
  one?.byteLength === other.length && new Uint8Array(one).every((byte, index) => byte === other[index]);

function note(owner: string): void {
  try {
    localStorage.setItem(PUSHES, JSON.stringify({ owner, renewedAt: Date.now() }));
  } catch {
    // It will be turned off when the next page is opened: whose it is, is not known then.
  }
}

async function submit(subscription: PushSubscription, owner: string): Promise<PushDevice> {
  const { endpoint = '', keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  const { device } = await send(api.POST('/push/subscriptions', { body: { endpoint, keys: { p256dh, auth } } }));
  note(owner);
  return device;
}

/** Has this browser show the pushes of its user, who is asked for the permission. */
export async function turnOnPush(publicKey: string, owner: string): Promise<PushDevice> {
  // First, while the click counts: some browsers ask only then.
  if ((await Notification.requestPermission()) !== 'granted') throw new PushDeclined();
  const { pushManager } = await activeRegistration();
  const key = bytesOf(publicKey);
  const before = await pushManager.getSubscription();
  // A subscription is bound to the server's key; another one cannot be made beside it.
  const usable = sameBytes(before?.options.applicationServerKey, key) ? before : null;
  if (before && !usable) await before.unsubscribe();
  return submit(usable ?? (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })), owner);
}

const subscriptionHere = async (): Promise<PushSubscription | null> => {
  if (pushState() !== 'ready') return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
};

/** Has this browser show no more pushes. The server hears of it from the push service, if it does not know it already. */
export async function dropPush(): Promise<void> {
  dropStored(PUSHES);
  await (await subscriptionHere())?.unsubscribe();
}

/**
 * Tells the server now and then that this browser still shows the pushes of its user, under its present session. Those of somebody who has used it
 * before end here: nobody sees what is meant for another.
 */
export async function renewPush(owner: string): Promise<void> {
  const subscription = await subscriptionHere();
  if (!subscription) return;
  const stored = JSON.parse(localStorage.getItem(PUSHES) ?? 'null') as { owner?: unknown; renewedAt?: unknown } | null;
  if (stored?.owner !== owner) await subscription.unsubscribe();
  else if (!(Math.abs(Date.now() - Number(stored.renewedAt)) < RENEWED_EVERY)) await submit(subscription, owner);
}
