import { redirect } from '@tanstack/react-router';
import { translate } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { ApiError, errorAdvice, errorText } from '@/lib/errors';
import { dealListQuery } from '@/lib/queries';
import { queryClient } from '@/lib/query-client';
import { notify } from '@/lib/toast';
import { dealQuery } from './queries';

/** What went wrong beyond "failed": the server's word, or what to do about it. */
function detail(error: unknown): string | undefined {
  return errorAdvice(error) ?? (errorText(error, '') || undefined);
}

function sessionGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** The list for its page. `preload`: the pointer only rests on a link, so a failure is nobody's business yet. */
export async function loadDeals(preload: boolean): Promise<void> {
  try {
    await queryClient.query({ ...dealListQuery, staleTime: 'static' });
  } catch (error) {
    if (!preload && !sessionGone(error)) notify.error(translate(deals, 'listFailed'), detail(error));
    throw error;
  }
}

/** One deal for its page. One that cannot be had leads back to the list (SPEC §2). */
export async function loadDeal(id: string, preload: boolean): Promise<void> {
  try {
    await queryClient.query({ ...dealQuery(id), staleTime: 'static' });
  } catch (error) {
    if (preload || sessionGone(error)) throw error;
    notify.error(translate(deals, 'fetchFailed'), detail(error));
    // The router's redirect is made to be thrown.
    throw redirect({ to: '/deals', replace: true });
  }
}
