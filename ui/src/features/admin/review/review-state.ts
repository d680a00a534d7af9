import type { MoneyPhase } from '@/entities/wallet/operations';
import type { ClaimState } from './use-claim';

type Doing = {
  /** What the admin's action did, once it is final. */
  outcome: string | null;
  /** The server's words when the row was handled or taken by another. */
  refused: string | null;
  acting: MoneyPhase;
  rejecting: MoneyPhase;
  /** An operation on the row that was found when the page was loaded. */
  inFlight: boolean;
};

export type ReviewState = Doing & {
  claim: ClaimState;
  /** The request waits and is this admin's to handle. */
  mayAct: boolean;
  /** Money is on its way because of this row. */
  processing: boolean;
  /** Something runs: no second action. */
  busy: boolean;
};

/** What the review of a row allows now. */
export function reviewState(row: { status: string }, claim: ClaimState, doing: Doing): ReviewState {
  const { outcome, refused, acting, rejecting, inFlight } = doing;
  const taken = claim.own || claim.others !== null || claim.refusal !== null || refused !== null;
  return {
    ...doing,
    claim,
    mayAct: row.status === 'pending' && outcome === null && !taken,
    processing: acting === 'processing' || rejecting === 'processing' || inFlight,
    busy: acting !== 'idle' || rejecting !== 'idle' || inFlight,
  };
}
