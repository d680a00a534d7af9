import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { Claim, Operation } from '@/api/contract';
import { useMe } from '@/entities/user/queries';
import { ApiError, errorText, isApiError } from '@/lib/errors';
import { useNow } from '@/lib/server-clock';
import { notify } from '@/lib/toast';
import { actionKey } from './use-admin-action';

/** A claim is renewed when less than this is left of it, in milliseconds. */
const RENEW = 120_000;

/** Rows that J and K only pass by are not taken from the others, in milliseconds. */
const REST = 300;

export type ClaimableRow = { _id: string; status: string; user: { _id: string }; claim: Claim | null; operation?: Operation };

/** Who works on a row: nobody, the admin who looks at it, another one, or nobody may (it is their own request, or handled). */
export type ClaimState = {
  own: boolean;
  mine: Claim | null;
  others: Claim | null;
  /** The admin had it, and the five minutes are over. */
  lapsed: boolean;
  /** The server's words when it refused the claim: who has handled it, who works on it, or why this admin may not. */
  refusal: string | null;
  take: () => void;
};

type Options = {
  listed: boolean;
  settled: boolean;
  /** The row waits for another admin: opening it takes nothing from them. */
  spared?: boolean;
  call: () => Promise<unknown>;
  list: readonly string[];
};

/**
 * Opening the review of a waiting row claims it for five minutes (docs/rules.md#claims), and the claim is renewed while the page can be seen. When
 * the row leaves the list under the admin's hands, the claim is tried again: the server then says who has handled it. An action of this admin takes the row off the list too, and its answer says so: nothing is tried while it is on its way.
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
    const timer = setTimeout(() => open(), REST);
    return () => clearTimeout(timer);
  }, []);
  const renew = useEffectEvent(() => {
    const ends = mine && row.claim !== null && Date.parse(row.claim.until) - now < RENEW;
    if (ends && document.visibilityState === 'visible' && !row.operation && (claim.isIdle || claim.isSuccess)) take();
  });
  useEffect(() => renew(), [now]);
  const ask = useEffectEvent(() => {
    if (queryClient.isMutating({ mutationKey: actionKey(list, row._id) }) === 0) take();
  });
  useEffect(() => {
    if (listed) return;
    // The list may be drawn before the outcome of an action that has just ended.
    const timer = setTimeout(() => ask(), REST);
    return () => clearTimeout(timer);
  }, [listed]);
  // A claim that ran out on a row that still waits: whoever had it, it may be taken now, but not by an admin who may not handle it at all.
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
