import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Operation } from '@/api/contract';
import { type MoneyPhase, useOperation } from '@/entities/wallet/operations';
import type { CallResult } from '@/lib/outcomes';
import type { RejectCode } from '../deposits/reject-codes';
import { reviewState } from './review-state';
import { type AdminAction, useAdminAction } from './use-admin-action';
import { type ClaimableRow, useClaim } from './use-claim';

/** The success toast, and the text of a failure without a message. */
export type ReviewTexts = { success: (done: CallResult) => string; fallback: () => string };

/** A code, for requests that have codes, and a text. */
export type Rejection = { reason?: string; code?: RejectCode };

export type RequestKind<R> = {
  name: string;
  list: readonly string[];
  put: (queryClient: QueryClient, row: R) => void;
  claim: (row: R) => Promise<object>;
  reject: (row: R, rejection: Rejection, key: string) => Promise<object>;
  rejecting: ReviewTexts;
  rejected: (row: R) => string;
  /** The texts for an operation already running on the row. */
  textsOf: (operation: Operation | undefined) => ReviewTexts;
};

type Options<R> = {
  row: R;
  listed: boolean;
  spared?: boolean;
  keep: (row: R) => void;
  onDecided?: (outcome: string) => void;
};

type Act<V> = Pick<AdminAction<V>, 'success' | 'failure'> & {
  call: (variables: V, key: string) => Promise<object>;
  outcome: () => string;
};

type Reviewed = {
  list: readonly string[];
  row: string;
  take: <A extends object>(answer: A) => A;
  onOutcome: (text: string) => void;
  onRefused: (text: string) => void;
};

export function useReviewAct<V>({ list, row, take, onOutcome, onRefused }: Reviewed, { call, outcome, ...texts }: Act<V>) {
  return useAdminAction<V>({
    ...texts,
    call: (variables, key) => call(variables, key).then(take),
    list,
    row,
    onDone: () => onOutcome(outcome()),
    onRefused,
  });
}

/** Claim, rejection and result of a request. Other actions use `useReviewAct`. */
export function useRequestReview<R extends ClaimableRow>(
  kind: RequestKind<R>,
  { row, listed, spared, keep, onDecided }: Options<R>,
) {
  const queryClient = useQueryClient();
  const [outcome, setOutcome] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const take = <A extends object>(answer: A): A => {
    if (kind.name in answer) {
      const fresh = (answer as Record<string, unknown>)[kind.name] as R;
      keep(fresh);
      kind.put(queryClient, fresh);
    }
    return answer;
  };
  const onOutcome = (text: string) => {
    setOutcome(text);
    onDecided?.(text);
  };
  const reviewed: Reviewed = { list: kind.list, row: row._id, take, onOutcome, onRefused: setRefused };
  const claim = useClaim(row, {
    ...{ listed, settled: outcome !== null, spared: spared ?? false, list: kind.list },
    call: () => kind.claim(row).then(take),
  });
  const reject = useReviewAct<Rejection>(reviewed, {
    call: (rejection, key) => kind.reject(row, rejection, key),
    success: kind.rejecting.success,
    failure: kind.rejecting.fallback,
    outcome: () => kind.rejected(row),
  });
  // After a reload. Another admin's operation is theirs to announce.
  const found = claim.others ? undefined : row.operation;
  const inFlight = useOperation(found, { ...kind.textsOf(found), refresh: [kind.list] });
  return {
    reviewed,
    reject: reject.run,
    stateOf: (acting: MoneyPhase) => reviewState(row, claim, { outcome, refused, acting, rejecting: reject.phase, inFlight }),
  };
}
