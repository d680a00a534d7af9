import type { BrowserContext } from '@playwright/test';

/**
 * Gives the browser a notification permission, or lets it ask, and a push service, which a headless
 * one lacks. The keys have the form that the server checks.
 */
export const withPushService = (context: BrowserContext, given: NotificationPermission = 'default'): Promise<unknown> =>
  context.addInitScript((initial) => {
    let permission = initial;
    Object.defineProperty(Notification, 'permission', { get: () => permission });
    Notification.requestPermission = () => {
      if (permission === 'default') permission = 'granted';
      return Promise.resolve(permission);
    };

    const base64url = (bytes: ArrayBuffer | Uint8Array) =>
      btoa(String.fromCharCode(...new Uint8Array(bytes)))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '');
    let subscription: object | null = null;
    const unsubscribe = () => {
      subscription = null;
      return Promise.resolve(true);
    };
    PushManager.prototype.getSubscription = () => Promise.resolve(subscription as PushSubscription | null);
    PushManager.prototype.subscribe = async (options) => {
      const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
      const p256dh = base64url(await crypto.subtle.exportKey('raw', pair.publicKey));
      const auth = base64url(crypto.getRandomValues(new Uint8Array(16)));
      const endpoint = `https://push.example.com/send/${auth}`;
      subscription = { endpoint, options, unsubscribe, toJSON: () => ({ endpoint, keys: { p256dh, auth } }) };
      return subscription as PushSubscription;
    };
  }, given);
