import { useRouter } from '@tanstack/react-router';
import type { User } from '@/api/contract';
import { safeRedirect } from '@/lib/redirect';

/** Replaces the form with the requested page, so that Back leads before the form. */
export function useEntrance(redirect: string | undefined) {
  const { history } = useRouter();
  return (user: User) => history.replace(safeRedirect(redirect, user), { entered: true });
}
