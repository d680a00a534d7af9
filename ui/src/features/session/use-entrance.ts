import { useRouter } from '@tanstack/react-router';
import type { User } from '@/api/contract';
import { safeRedirect } from '@/lib/redirect';

/** After a login or sign-up just completed: to the place that was asked for, which takes the place of the form, so that Back leads before it. */
export function useEntrance(redirect: string | undefined) {
  const { history } = useRouter();
  return (user: User) => history.replace(safeRedirect(redirect, user), { entered: true });
}
