import type { MutationKey, QueryKey } from '@tanstack/react-query';
import { withConfirmation } from '@/entities/user/second-factor/confirmation';
import { useMoneyAction } from '@/entities/wallet/operations';
import { ApiError, errorAdvice, errorText, isApiError } from '@/lib/errors';
import type { CallResult } from '@/lib/outcomes';
import { notify } from '@/lib/toast';

export type AdminAction<V> = {
  call: (variables: V, key: string) => Promise<unknown>;
  success: (done: CallResult, variables: V) => string;
  failure: (error: unknown) => string;
  list: QueryKey;
  row?: string;
  onDone: (done: CallResult, variables: V) => void;
  /** Called with the server's message if another admin has handled the row or works on it. */
  onRefused: (text: string) => void;
  onFailed?: (error: unknown) => void;
};

export const actionKey = (list: QueryKey, row: string): MutationKey => [...list, 'action', row];

/** Asks for the password if the server requires it, and reports failures. */
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
      // The admin cancelled the password dialog.
      if (isApiError(error, 'password_required') || (error instanceof ApiError && error.status === 401)) return;
      notify.error(errorText(error, failure(error)), errorAdvice(error) ?? undefined);
      if (isApiError(error, 'already_handled')) onRefused(errorText(error));
      onFailed?.(error);
    },
  });
}
