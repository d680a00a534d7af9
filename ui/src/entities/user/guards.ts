import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import type { User } from '@/api/contract';
import { keys } from '@/entities/keys';
import { clearSessionCache } from '@/lib/query-client';
import { HOME } from '@/lib/redirect';
import { meQuery } from './queries';

/** What a guard is given of the page that it guards. */
type Guarded = { context: { queryClient: QueryClient }; location: { href: string } };

/** The user of this session or null, asked once and then kept. Throws when the server cannot be asked: nobody is signed out by a bad network. */
export function currentUser(queryClient: QueryClient): Promise<User | null> {
  return queryClient.query({ ...meQuery, staleTime: 'static' });
}

/**
 * Asks again about the user of this page, after something that may have changed him or ended his session. What cannot be asked now is asked
 * later by the pages themselves.
 */
export async function refreshUser(queryClient: QueryClient): Promise<void> {
  if (!queryClient.getQueryData(keys.me)) return;
  const user = await queryClient.query({ ...meQuery, staleTime: 0 }).catch(() => undefined);
  if (user === null) clearSessionCache(queryClient);
}

/** For pages of everybody: who is signed in is known before the first header. */
export async function allowEverybody({ context }: Guarded): Promise<void> {
  await currentUser(context.queryClient);
}

/** For pages of visitors: a signed-in user is sent to the dashboard, whatever `redirect` says. */
export async function requireGuest({ context }: Guarded): Promise<void> {
  if (await currentUser(context.queryClient)) throw redirect({ to: HOME });
}

/** To /login, and from there back to the page. What the device has seen goes: the session has ended while no page was open. */
function toLogin(search: { redirect: string }) {
  import('@/lib/storage-owner').then(({ dropStored, LAST_SEEN }) => dropStored(LAST_SEEN)).catch(() => undefined);
  return redirect({ to: '/login', search });
}

/** For pages behind the sign-in: a visitor is sent to /login and comes back after it. */
export async function requireUser({ context, location }: Guarded): Promise<void> {
  if (!(await currentUser(context.queryClient))) throw toLogin({ redirect: location.href });
}

/** For the admin area: everybody else is sent to /login. */
export async function requireAdmin({ context, location }: Guarded): Promise<void> {
  const user = await currentUser(context.queryClient);
  if (!user) throw toLogin({ redirect: location.href });
  if (!user.isAdmin) throw redirect({ to: '/login' });
}
