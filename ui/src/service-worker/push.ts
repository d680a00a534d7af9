import type { ChangeEvent, ClickEvent, PushEvent, Scope } from './scope';

const HOME = '/dashboard';
const ICON = '/icons/192.png';
const BADGE = '/icons/badge.png';
const APP = 'Amanat';

/** The fields of a push. Others, of later server versions, are ignored. */
type Notice = { title: string; body: string; link: string; tag: string | undefined; lang: string | undefined };

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The path of a link on this site; home for anything else. */
export function ownAddress(link: unknown, origin: string): string {
  try {
    const url = new URL(textOf(link) ?? HOME, origin);
    if (url.origin === origin) return url.href;
  } catch {
    // Not a URL.
  }
  return `${origin}${HOME}`;
}

/** Parses a push. Browsers require a notification for each, even for invalid ones. */
export function noticeOf(text: string | undefined): Notice {
  let said: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    if (typeof parsed === 'object' && parsed !== null) said = parsed as Record<string, unknown>;
  } catch {
    // Then it only has a title.
  }
  return {
    title: textOf(said.title) ?? APP,
    body: textOf(said.body) ?? '',
    link: textOf(said.link) ?? HOME,
    tag: textOf(said.tag),
    lang: textOf(said.lang),
  };
}

function show(scope: Scope, { data }: PushEvent): Promise<void> {
  const { title, body, link, tag, lang } = noticeOf(data?.text());
  return scope.registration.showNotification(title, {
    ...{ body, icon: ICON, badge: BADGE, data: { link } },
    ...(lang ? { lang } : {}),
    ...(tag ? { tag, renotify: true } : {}),
  });
}

/** Opens the link in the window that shows it, or in a new one, to keep input in others. */
async function open(scope: Scope, { notification }: ClickEvent): Promise<void> {
  notification.close();
  const address = ownAddress((notification.data as { link?: unknown } | null)?.link, scope.location.origin);
  const windows = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const showing = windows.find(({ url }) => url === address);
  if (showing) await showing.focus();
  else await scope.clients.openWindow(address);
}

/** The push service has replaced a subscription; reports the new one to the server. */
async function renew(scope: Scope, { oldSubscription }: ChangeEvent): Promise<void> {
  const key = oldSubscription?.options.applicationServerKey;
  if (!key) return;
  const subscription = await scope.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = subscription.toJSON();
  await scope.fetch('/api/push/subscriptions', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ endpoint, keys }),
  });
}

export function showPushes(scope: Scope): void {
  scope.addEventListener('push', (event) => event.waitUntil(show(scope, event)));
  scope.addEventListener('notificationclick', (event) => event.waitUntil(open(scope, event)));
  scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(scope, event)));
}
