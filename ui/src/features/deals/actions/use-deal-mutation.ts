import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { DealDetail, Operation } from '@/api/contract';
import { markRemoval, unmarkRemoval } from '@/entities/deal/removals';
import { keys } from '@/entities/keys';
import { isUnconfirmed } from '@/entities/user/second-factor/confirmation';
import { isLimit } from '@/entities/wallet/limits';
import { useMoneyAction } from '@/entities/wallet/operations';
import { useStillHere } from '@/hooks/use-still-here';
import { isApiError } from '@/lib/errors';
import { overlaysClosed } from '@/lib/overlays';
import { notifyActionFailure } from '../failures';
import { removeDealFromTabs } from '../list/queries';
import { type Action, DEAL_ACTIONS } from './deal-actions';
import type { Words } from './deal-calls';
import { isGone } from './toast-texts';

const OUTDATED: readonly number[] = [403, 404, 409];

/** The deal has changed since it was shown. A limit is the account's, not the deal's. */
function outdated(error: unknown): boolean {
  return isApiError(error) && OUTDATED.includes(error.status) && error.code !== 'insufficient_balance' && !isLimit(error);
}

function dealAfter(answer: object, old: DealDetail | undefined): DealDetail | undefined {
  const { deal, operation } = answer as { deal?: DealDetail; operation?: Operation };
  return deal ?? (old && operation && { ...old, operation });
}

/** An action with its text and pictures; `terms` is the version on the page. */
type Run = { action: Action; terms: number; words?: Words };

const NO_WORDS: Words = { text: '', pictures: [] };

/** Runs one action of a deal at a time. `close` closes its dialog. */
export function useDealMutation(id: string, close: () => void) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const here = useStillHere();
  const leave = async () => {
    removeDealFromTabs(queryClient, id);
    close();
    await overlaysClosed();
    // Replaces the page, so that Back does not lead to the removed deal. Its cache goes last:
    // removing it while the page is open would refetch it.
    if (here()) await navigate({ to: '/deal', search: { tab: 'pending' }, replace: true });
    queryClient.removeQueries({ queryKey: keys.deal(id) });
    void queryClient.invalidateQueries({ queryKey: keys.dealList });
  };
  const refresh = () => void queryClient.invalidateQueries({ queryKey: keys.deals });
  return useMoneyAction<Run>({
    intention: ({ action }) => DEAL_ACTIONS[action].call.path,
    movesMoney: ({ action }) => DEAL_ACTIONS[action].call.money,
    call: async ({ action, terms, words = NO_WORDS }, key) => {
      const { call } = DEAL_ACTIONS[action];
      if (call.removes) markRemoval(queryClient, id);
      const answer = await call.send(id, key, words, terms);
      queryClient.setQueryData<DealDetail>(keys.deal(id), (old) => dealAfter(answer, old));
      return answer;
    },
    success: (done, { action }) => DEAL_ACTIONS[action].success(done),
    quiet: true,
    // From now on the page shows the progress, and the user may leave.
    onProcessing: close,
    onDone: async (done, { action }) => {
      if (isGone(done)) return leave();
      unmarkRemoval(queryClient, id);
      close();
      if (!DEAL_ACTIONS[action].call.money) refresh();
    },
    // If the deal has changed, closes the dialog and reloads the page.
    onFailed: (error, { action }) => {
      unmarkRemoval(queryClient, id);
      if (isUnconfirmed(error)) return;
      notifyActionFailure(error, DEAL_ACTIONS[action].fallback());
      if (!outdated(error)) return;
      close();
      refresh();
    },
  });
}
