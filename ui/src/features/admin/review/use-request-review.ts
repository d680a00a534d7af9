import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Operation } from '@/api/contract';
import { type MoneyPhase, useOperation } from '@/entities/wallet/operations';
import type { CallResult } from '@/lib/outcomes';
import type { RejectCode } from '../deposits/reject-codes';
import { reviewState } from './review-state';
import { type AdminAction, useAdminAction } from './use-admin-action';
import { type ClaimableRow, useClaim } from './use-claim';

/** The toasts of a call that was made, and those of one that failed where the server wrote none. */
export type ReviewTexts = { success: (done: CallResult) => string; fallback: () => string };

/** Why a request is rejected: a code where its kind has codes, and words. */
export type Rejection = { reason?: string; code?: RejectCode };

/** What differs between requests: deposits and withdrawals. */
export type RequestKind<R> = {
  /** What answers call the row. */
  name: string;
  /** The key of its lists. */
  list: readonly string[];
  /** Puts a row of an answer into them. */
  put: (queryClient: QueryClient, row: R) => void;
  claim: (row: R) => Promise<object>;
  reject: (row: R, rejection: Rejection, key: string) => Promise<object>;
  rejecting: ReviewTexts;
  /** What the review says of a rejected row. */
  rejected: (row: R) => string;
  /** The texts for an operation that is found on the row. */
  textsOf: (operation: Operation | undefined) => ReviewTexts;
};

type Options<R> = {
  row: R;
  /** Whether the row is still on the page of the list that is shown. */
  listed: boolean;
  /** The row waits for another admin. */
  spared?: boolean;
  /** Takes the row as an answer has it. */
  keep: (row: R) => void;
  /** Something became of the row in this review. */
  onDecided?: (outcome: string) => void;
};

/** What a review does to the row beside rejecting it. */
type Act<V> = Pick<AdminAction<V>, 'success' | 'failure'> & {
  call: (variables: V, key: string) => Promise<object>;
  /** What the review says when it is done. */
  outcome: () => string;
};

/** What an act does with its answer, and with its end. */
type Reviewed = {
  list: readonly string[];
  row: string;
  take: <A extends object>(answer: A) => A;
  onOutcome: (text: string) => void;
  onRefused: (text: string) => void;
};

/** An act of a review. */
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

/** The review of a request: its claim, its rejection, and what became of it. The acts of its kind are calls of `useReviewAct`. */
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
  // Found after a reload. What another admin started is theirs to announce.
  const found = claim.others ? undefined : row.operation;
  const inFlight = useOperation(found, { ...kind.textsOf(found), refresh: [kind.list] });
  return {
    reviewed,
    reject: reject.run,
    stateOf: (acting: MoneyPhase) => reviewState(row, claim, { outcome, refused, acting, rejecting: reject.phase, inFlight }),
  };
}
