import type { MutationKey, QueryKey } from '@tanstack/react-query';
import { withConfirmation } from '@/entities/user/second-factor/confirmation';
import { useMoneyAction } from '@/entities/wallet/operations';
import { ApiError, errorAdvice, errorText, isApiError } from '@/lib/errors';
import type { CallResult } from '@/lib/outcomes';
import { notify } from '@/lib/toast';

export type AdminAction<V> = {
  call: (variables: V, key: string) => Promise<unknown>;
  success: (done: CallResult, variables: V) => string;
  /** The words for a failure where the server wrote none. */
  failure: (error: unknown) => string;
  list: QueryKey;
  /** The id of the row that is acted on. */
  row?: string;
  onDone: (done: CallResult, variables: V) => void;
  /** The row is handled already, or another admin works on it: the server's words. */
  onRefused: (text: string) => void;
  onFailed?: (error: unknown) => void;
};

/** The mutation key of the actions on a row of a list. */
export const actionKey = (list: QueryKey, row: string): MutationKey => [...list, 'action', row];

/** A money action of an admin: asks for the password where the server wants it, and says why it was refused. */
export function useAdminAction<V>({ call, success, failure, list, row, onDone, onRefused, onFailed }: AdminAction<V>) {
  return useMoneyAction<V>({
    call: (variables, key) => withConfirmation(() => call(variables, key)),
    success,
    fallback: () => '',
    quiet: true,
    refresh: [list],
    ...(row === undefined ? {} : { mutationKey: actionKey(list, row) }),
    onDone,
    onFailed: (error) => {
      // Without the password nothing was done, and the admin knows.
      if (isApiError(error, 'password_required') || (error instanceof ApiError && error.status === 401)) return;
      notify.error(errorText(error, failure(error)), errorAdvice(error) ?? undefined);
      if (isApiError(error, 'already_handled')) onRefused(errorText(error));
      onFailed?.(error);
    },
  });
}
