import { useEffect, useEffectEvent } from 'react';
import { errorAdvice, errorText, isApiError } from '@/lib/errors';
import { notify } from '@/lib/toast';

type Loading = { isLoadingError: boolean; error: unknown; errorUpdatedAt: number };

/** Says as a toast that something could not be loaded at all. Failed refreshes of what is shown already are said by the query client. */
export function useLoadFailure({ isLoadingError, error, errorUpdatedAt }: Loading, fallback: string): void {
  const say = useEffectEvent(() => {
    // The session's end has a dialog of its own.
    if (!isApiError(error, 'unauthenticated')) notify.error(errorText(error, fallback), errorAdvice(error) ?? undefined);
  });
  const failedAt = isLoadingError ? errorUpdatedAt : 0;
  useEffect(() => {
    if (failedAt > 0) say();
  }, [failedAt]);
}
