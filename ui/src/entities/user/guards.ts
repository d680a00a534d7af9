import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import type { User } from '@/api/contract';
import { keys } from '@/entities/keys';
import { clearSessionCache } from '@/lib/query-client';
import { HOME } from '@/lib/redirect';
import { meQuery } from './queries';

type Guarded = { context: { queryClient: QueryClient }; location: { href: string } };

/** Throws if the server cannot be reached, so that a bad network signs nobody out. */
export function currentUser(queryClient: QueryClient): Promise<User | null> {
  return queryClient.query({ ...meQuery, staleTime: 'static' });
}

/** For a possible change to the account or session. Failures are left to the pages' queries. */
export async function refreshUser(queryClient: QueryClient): Promise<void> {
  if (!queryClient.getQueryData(keys.me)) return;
  const user = await queryClient.query({ ...meQuery, staleTime: 0 }).catch(() => undefined);
  if (user === null) clearSessionCache(queryClient);
}

/** For public pages: loads the user before the header renders. */
export async function allowEverybody({ context }: Guarded): Promise<void> {
  await currentUser(context.queryClient);
}

/** For visitors' pages: redirects signed-in users to the dashboard, whatever `redirect` says. */
export async function requireGuest({ context }: Guarded): Promise<void> {
  if (await currentUser(context.queryClient)) throw redirect({ to: HOME });
}

/** Redirects to /login and back, and drops last-seen data, because the session has ended. */
function toLogin(search: { redirect: string }) {
  import('@/lib/storage-owner').then(({ dropStored, LAST_SEEN }) => dropStored(LAST_SEEN)).catch(() => undefined);
  return redirect({ to: '/login', search });
}

/** For members' pages: redirects visitors to /login and back. */
export async function requireUser({ context, location }: Guarded): Promise<void> {
  if (!(await currentUser(context.queryClient))) throw toLogin({ redirect: location.href });
}

/** For the admin area: redirects everybody else to /login. */
export async function requireAdmin({ context, location }: Guarded): Promise<void> {
  const user = await currentUser(context.queryClient);
  if (!user) throw toLogin({ redirect: location.href });
  if (!user.isAdmin) throw redirect({ to: '/login' });
}
