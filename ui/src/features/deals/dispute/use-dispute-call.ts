import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { DealDispute } from '@/api/contract';
import { putDispute } from '@/entities/deal/dispute/queries';
import { keys } from '@/entities/keys';
import { isUnconfirmed } from '@/entities/user/second-factor/confirmation';
import { type Key, translate } from '@/i18n';
import { dispute as catalogue } from '@/i18n/en/dispute';
import { isApiError } from '@/lib/errors';
import { useKeyed } from '@/lib/idempotency';
import { notifyActionFailure } from '../failures';

type Text = Extract<Key<typeof catalogue>, `toast.${string}`>;

type Options<B> = {
  call: (body: B, key: string) => Promise<{ dispute: DealDispute }>;
  success: Text;
  failure: Text;
  onDone?: (dispute: DealDispute) => void;
  onOutdated?: () => void;
};

const isOutdated = (error: unknown): boolean => isApiError(error) && [403, 404, 409].includes(error.status);

/** A change of a dispute without money: one key per body, a toast, and the new state. */
export function useDisputeCall<B extends string | number | object>({ call, success, failure, onDone, onOutdated }: Options<B>) {
  const queryClient = useQueryClient();
  const say = (key: Text) => () => translate(catalogue, key);
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.deals });
  const keyed = useKeyed(call);
  return useMutation({
    mutationFn: (body: B) => keyed(body),
    meta: { success: say(success), quiet: true },
    onSuccess: ({ dispute }) => {
      putDispute(queryClient, dispute);
      onDone?.(dispute);
      void refresh();
    },
    onError: (error) => {
      if (isUnconfirmed(error)) return;
      notifyActionFailure(error, translate(catalogue, failure));
      if (!isOutdated(error)) return;
      onOutdated?.();
      void refresh();
    },
  });
}
