import type { PushDevice } from '@/api/contract';
import { api, send } from '@/lib/api';
import { activeRegistration, endPushes } from '@/lib/service-worker';
import { dropStored, PUSHES } from '@/lib/storage-owner';

const RENEWED_EVERY = 60 * 60 * 1_000;

/** Support for pushes: none, only once installed, forbidden by the user, or available. */
export type PushState = 'missing' | 'install' | 'blocked' | 'ready';

/** Safari on an iPad claims to be on a Mac, but no Mac has a touch screen. */
export const isIos = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) || (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);

export function pushState(): PushState {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return isIos() ? 'install' : 'missing';
  return Notification.permission === 'denied' ? 'blocked' : 'ready';
}

export class PushDeclined extends Error {
  override readonly name = 'PushDeclined';
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

const sameBytes = (one: ArrayBuffer | null | undefined, other: Uint8Array): boolean =>
  one?.byteLength === other.length && new Uint8Array(one).every((byte, index) => byte === other[index]);

/** This browser's record of its pushes: the owner, the server's device id, and the last renewal. */
type Noted = { owner: string; device: string; renewedAt: number };

function note(noted: Noted): void {
  try {
    localStorage.setItem(PUSHES, JSON.stringify(noted));
  } catch {
    // Without a record, the owner is unknown, and pushes end on the next page load.
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

export async function turnOnPush(publicKey: string, owner: string): Promise<PushDevice> {
  // Must come first: some browsers only ask right after a click.
  if ((await Notification.requestPermission()) !== 'granted') throw new PushDeclined();
  const { pushManager } = await activeRegistration();
  const key = bytesOf(publicKey);
  const before = await pushManager.getSubscription();
  // A subscription is bound to the server's key and must be removed before a new one is made.
  const usable = sameBytes(before?.options.applicationServerKey, key) ? before : null;
  if (before && !usable) await before.unsubscribe();
  return submit(usable ?? (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })), owner);
}

/** Ends the pushes in this browser. The server's device is removed separately. */
export async function dropPush(): Promise<void> {
  dropStored(PUSHES);
  await endPushes();
}

/**
 * Renews this browser's subscription under the present session from time to time. Ends it if it
 * belongs to an earlier user, or if the server has removed the device.
 */
export async function renewPush(owner: string): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  if (!subscription) return;
  const noted = readNote();
  if (noted?.owner !== owner) return endPushes();
  if (Math.abs(Date.now() - Number(noted.renewedAt)) < RENEWED_EVERY) return;
  const { devices } = await send(api.GET('/notifications/settings'));
  // The service worker may have renewed the subscription as a new device of this session.
  if (devices.some(({ _id, current }) => current || _id === noted.device)) await submit(subscription, owner);
  else await dropPush();
}
