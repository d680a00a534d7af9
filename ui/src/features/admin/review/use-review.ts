import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Claim, Operation } from '@/api/contract';
import { useMe } from '@/entities/user/queries';
import { withConfirmation } from '@/entities/user/second-factor/confirmation';
import { operationError, useMoneyAction, useOperation } from '@/entities/wallet/operations';
import { ApiError, errorAdvice, errorText, isApiError } from '@/lib/errors';
import type { CallResult } from '@/lib/outcomes';
import { useNow } from '@/lib/server-clock';
import { notify } from '@/lib/toast';
import { putRow } from '../queue/list-query';

/** Renews a claim with less than this left, in milliseconds. */
const RENEW_BELOW = 120_000;

/** Claims after this pause, so that passing by with J and K does not. */
const CLAIM_DELAY = 300;

/** Reports a failed call, unless the admin has cancelled the password dialog. */
export function notifyFailure(error: unknown, fallback?: string): void {
  if (isApiError(error, 'password_required') || (error instanceof ApiError && error.status === 401)) return;
  notify.error(errorText(error, fallback), errorAdvice(error) ?? undefined);
}

type Reviewable = {
  _id: string;
  /** "pending" while an admin may act on the row. */
  status: string;
  /** Whose row it is: admins do not handle their own. */
  user: { _id: string };
  claim?: Claim | null;
  operation?: Operation;
};

/** Nobody's, this admin's, another's, or refused (their own request, or handled). */
export type ClaimState = {
  own: boolean;
  mine: Claim | null;
  others: Claim | null;
  /** Another admin's that is over; they may have sent the money. */
  opened: { by: Claim['admin']; at: string } | null;
  lapsed: boolean;
  refusal: string | null;
  take: () => void;
};

type Claiming = {
  listed: boolean;
  /** The row waits for another admin, so opening it does not claim it. */
  spared?: boolean;
  /** Since when the admin of the claim may have sent the money: another one looks first. */
  openedAt?: string | null;
  call: () => Promise<unknown>;
};

type ClaimOptions = { list: readonly string[]; settled: boolean; claiming: Claiming | undefined };

const actionKey = (list: readonly string[], id: string) => [...list, 'action', id];

/**
 * Opening the review of an open row claims it for five minutes (docs/rules.md#claims), and the
 * claim is renewed while the page is visible. When the row leaves the list, the claim is repeated,
 * and the server says who handled it. This admin's actions remove rows, too; nothing is claimed
 * while one is running.
 */
function useClaim(row: Reviewable, { list, settled, claiming }: ClaimOptions): ClaimState {
  const queryClient = useQueryClient();
  const me = useMe();
  const now = useNow();
  const { listed = true, spared = false, openedAt = null, call } = claiming ?? {};
  const held = row.claim ?? null;
  const own = row.user._id === me._id;
  const alive = held !== null && Date.parse(held.until) > now;
  const mine = alive && held.admin._id === me._id;
  const others = alive && !mine;
  const opened = held && !alive && held.admin._id !== me._id && openedAt !== null ? { by: held.admin, at: openedAt } : null;
  const claim = useMutation({
    mutationFn: async () => call?.(),
    meta: { quiet: true },
    onError: (error) => {
      if (isApiError(error, 'already_handled')) void queryClient.invalidateQueries({ queryKey: list });
      else if (error instanceof ApiError && error.status !== 401 && error.code !== 'forbidden') notify.error(errorText(error));
    },
  });
  const take = useEffectEvent(() => {
    if (call && row.status === 'pending' && !own && !settled) claim.mutate();
  });
  const open = useEffectEvent(() => {
    if (!others && !spared && !opened && !row.operation) take();
  });
  useEffect(() => {
    const timer = setTimeout(() => open(), CLAIM_DELAY);
    return () => clearTimeout(timer);
  }, []);
  const renew = useEffectEvent(() => {
    const ends = mine && Date.parse(held.until) - now < RENEW_BELOW;
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
  const free = listed && held !== null && !alive;
  const refused = isApiError(claim.error, 'forbidden') || (!free && isApiError(claim.error, 'already_handled'));
  return {
    own,
    mine: mine ? held : null,
    others: others ? held : null,
    opened,
    lapsed: held?.admin._id === me._id && !alive,
    refusal: refused ? errorText(claim.error) : null,
    take: () => claim.mutate(),
  };
}

type Options<R extends { _id: string }, A extends { act: string }> = {
  /** The worklist: the prefix of its queries. */
  list: readonly string[];
  row: Reviewable;
  /** The field of the responses that has the row; `onRow` is called with it. */
  name?: string;
  onRow?: (row: R) => void;
  claim?: Claiming;
  /** Follows an operation that already runs on the row, as this action. */
  follow?: (operation: Operation) => A['act'];
  call: (action: A, key: string) => Promise<object>;
  /** The toast. */
  success: (done: CallResult, act: A['act']) => string;
  /** The toast for a failure without a message. */
  failure: (error: unknown, act: A['act']) => string;
  /** The text in the drawer. */
  outcome: (done: CallResult, action: A) => string;
  onDecided?: (outcome: string) => void;
  /** More queries that an action changes. */
  refresh?: readonly (readonly string[])[];
  /** The error codes whose text stays in the drawer. */
  refusals?: readonly string[];
};

/** The claim of a row of a worklist, the actions on it, and their result. */
export function useReview<R extends { _id: string }, A extends { act: string }>(options: Options<R, A>) {
  const {
    list,
    name = '',
    row,
    onRow,
    call,
    success,
    failure,
    onDecided,
    refresh = [],
    refusals = ['already_handled'],
  } = options;
  const queryClient = useQueryClient();
  const [outcome, setOutcome] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const take = <D>(answer: D): D => {
    const fresh = (answer as Record<string, R | undefined>)[name];
    if (fresh) {
      onRow?.(fresh);
      putRow(queryClient, list, fresh);
    }
    return answer;
  };
  const claiming = options.claim && { ...options.claim, call: async () => take(await options.claim?.call()) };
  const claim = useClaim(row, { list, settled: outcome !== null, claiming });
  const action = useMoneyAction<A>({
    call: (wanted, key) => withConfirmation(() => call(wanted, key)).then(take),
    intention: ({ act }) => act,
    success: (done, { act }) => success(done, act),
    quiet: true,
    refresh: [list, ...refresh],
    mutationKey: actionKey(list, row._id),
    onDone: (done, wanted) => {
      const text = options.outcome(done, wanted);
      setRefused(null);
      setOutcome(text);
      onDecided?.(text);
    },
    onFailed: (error, { act }) => {
      notifyFailure(error, failure(error, act));
      if (refusals.some((code) => isApiError(error) && error.code === code)) setRefused(errorText(error));
    },
  });
  // After a reload. Another admin's operation is theirs to announce.
  const running = options.follow && !claim.others ? row.operation : undefined;
  const runs = running && options.follow ? options.follow(running) : '';
  const inFlight = useOperation(running, {
    success: (done) => success(done, runs),
    fallback: () => (running ? failure(operationError(running), runs) : ''),
    refresh: [list],
  });
  const act = action.phase === 'idle' ? null : (action.variables?.act ?? null);
  const waits = row.status === 'pending' && outcome === null && refused === null;
  return {
    claim,
    outcome,
    refused,
    /** Not handled yet, as far as this admin knows. */
    waits,
    mayAct: waits && !claim.own && claim.others === null && claim.opened === null && claim.refusal === null,
    /** The running action. */
    act: act as A['act'] | null,
    /** The page was loaded during an operation on the row. */
    inFlight,
    processing: action.phase === 'processing' || inFlight,
    busy: act !== null || inFlight,
    errorOf: (of: A['act']) => (action.variables?.act === of ? action.error : null),
    run: action.run,
    runAsync: action.runAsync,
    forgetRefusal: () => setRefused(null),
  };
}

export type Review<A extends string = string> = Omit<ReturnType<typeof useReview>, 'act' | 'run' | 'runAsync' | 'errorOf'> & {
  act: A | null;
};
