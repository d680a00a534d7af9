import { useEffect, useEffectEvent } from 'react';
import { errorAdvice, errorText, isApiError } from '@/lib/errors';
import { notify } from '@/lib/toast';

type Loading = { isLoadingError: boolean; error: unknown; errorUpdatedAt: number };

/** Shows a toast for a failed first load. The query client reports failed refreshes. */
export function useLoadFailure({ isLoadingError, error, errorUpdatedAt }: Loading, fallback: string): void {
  const say = useEffectEvent(() => {
    // The session's end opens a dialog.
    if (!isApiError(error, 'unauthenticated')) notify.error(errorText(error, fallback), errorAdvice(error) ?? undefined);
  });
  const failedAt = isLoadingError ? errorUpdatedAt : 0;
  useEffect(() => {
    if (failedAt > 0) say();
  }, [failedAt]);
}
