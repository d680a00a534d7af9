import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { Claim, Operation } from '@/api/contract';
import { useMe } from '@/entities/user/queries';
import { ApiError, errorText, isApiError } from '@/lib/errors';
import { useNow } from '@/lib/server-clock';
import { notify } from '@/lib/toast';
import { actionKey } from './use-admin-action';

/** Renews a claim with less than this left, in milliseconds. */
const RENEW_BELOW = 120_000;

/** Claims after this pause, so that passing by with J and K does not. */
const CLAIM_DELAY = 300;

export type ClaimableRow = { _id: string; status: string; user: { _id: string }; claim: Claim | null; operation?: Operation };

/** Nobody's, this admin's, another's, or refused (their own request, or handled). */
export type ClaimState = {
  own: boolean;
  mine: Claim | null;
  others: Claim | null;
  lapsed: boolean;
  refusal: string | null;
  take: () => void;
};

type Options = {
  listed: boolean;
  settled: boolean;
  /** The row waits for another admin, so opening it does not claim it. */
  spared?: boolean;
  call: () => Promise<unknown>;
  list: readonly string[];
};

/**
 * Opening the review of an open row claims it for five minutes (docs/rules.md#claims), and the
 * claim is renewed while the page is visible. When the row leaves the list, the claim is repeated,
 * and the server says who handled it. This admin's actions remove rows, too; nothing is claimed
 * while one is running.
 */
export function useClaim(row: ClaimableRow, { listed, settled, spared = false, call, list }: Options): ClaimState {
  const queryClient = useQueryClient();
  const me = useMe();
  const now = useNow();
  const own = row.user._id === me._id;
  const alive = row.claim !== null && Date.parse(row.claim.until) > now;
  const mine = alive && row.claim?.admin._id === me._id;
  const others = alive && !mine;
  const claim = useMutation({
    mutationFn: call,
    meta: { quiet: true },
    onError: (error) => {
      if (isApiError(error, 'already_handled')) void queryClient.invalidateQueries({ queryKey: list });
      else if (error instanceof ApiError && error.status !== 401 && error.code !== 'forbidden') notify.error(errorText(error));
    },
  });
  const take = useEffectEvent(() => {
    if (row.status === 'pending' && !own && !settled) claim.mutate();
  });
  const open = useEffectEvent(() => {
    if (!others && !spared && !row.operation) take();
  });
  useEffect(() => {
    const timer = setTimeout(() => open(), CLAIM_DELAY);
    return () => clearTimeout(timer);
  }, []);
  const renew = useEffectEvent(() => {
    const ends = mine && row.claim !== null && Date.parse(row.claim.until) - now < RENEW_BELOW;
    if (ends && document.visibilityState === 'visible' && !row.operation && (claim.isIdle || claim.isSuccess)) take();
  });
  useEffect(() => renew(), [now]);
  const ask = useEffectEvent(() => {
    if (queryClient.isMutating({ mutationKey: actionKey(list, row._id) }) === 0) take();
  });
  useEffect(() => {
    if (listed) return;
    // The list may render before the result of a finished action.
    const timer = setTimeout(() => ask(), CLAIM_DELAY);
    return () => clearTimeout(timer);
  }, [listed]);
  // An expired claim on an open row can be taken over, except by an admin who may not handle it.
  const free = listed && row.claim !== null && !alive;
  const refused = isApiError(claim.error, 'forbidden') || (!free && isApiError(claim.error, 'already_handled'));
  return {
    own,
    mine: mine ? row.claim : null,
    others: others ? row.claim : null,
    lapsed: row.claim?.admin._id === me._id && !alive,
    refusal: refused ? errorText(claim.error) : null,
    take: () => claim.mutate(),
  };
}
