import type { PushDevice } from '@/api/contract';
import { api, send } from '@/lib/api';
import { activeRegistration, endPushes } from '@/lib/service-worker';
import { dropStored, PUSHES } from '@/lib/storage-owner';

const RENEWED_EVERY = 60 * 60 * 1_000;

/** Whether this browser can show pushes: not at all, once the site is installed, not as long as its user forbids it, or yes. */
export type PushState = 'missing' | 'install' | 'blocked' | 'ready';

/** Safari on an iPad calls itself one of a Mac; no Mac has a touch screen. */
export const isIos = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) || (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);

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

/** What this browser knows of its pushes: whose they are, which device it is for the server, and when it told so. */
type Noted = { owner: string; device: string; renewedAt: number };

function note(noted: Noted): void {
  try {
    localStorage.setItem(PUSHES, JSON.stringify(noted));
  } catch {
    // Pushes end when the next page is opened: whose they are, is not known then.
  }
}

function readNote(): Partial<Noted> | null {
  try {
    return JSON.parse(localStorage.getItem(PUSHES) ?? 'null') as Partial<Noted> | null;
  } catch {
    return null;
  }
}

async function submit(subscription: PushSubscription, owner: string): Promise<PushDevice> {
  const { endpoint = '', keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  const { device } = await send(api.POST('/push/subscriptions', { body: { endpoint, keys: { p256dh, auth } } }));
  note({ owner, device: device._id, renewedAt: Date.now() });
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

/** Ends the pushes in this browser. The server is told apart from it. */
export async function dropPush(): Promise<void> {
  dropStored(PUSHES);
  await endPushes();
}

/**
 * Tells the server now and then that this browser still shows the pushes of its user, under its present session. They end here if they are those of
 * somebody who has used it before, since nobody sees what is meant for another, and if the server has ended them: the device was removed from another
 * one, or with its session.
 */
export async function renewPush(owner: string): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  if (!subscription) return;
  const noted = readNote();
  if (noted?.owner !== owner) return endPushes();
  if (Math.abs(Date.now() - Number(noted.renewedAt)) < RENEWED_EVERY) return;
  const { devices } = await send(api.GET('/notifications/settings'));
  // A subscription that the service worker has renewed is a device with another id, of the present session.
  if (devices.some(({ _id, current }) => current || _id === noted.device)) await submit(subscription, owner);
  else await dropPush();
}
