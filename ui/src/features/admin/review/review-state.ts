import type { MoneyPhase } from '@/entities/wallet/operations';
import type { ClaimState } from './use-claim';

type Doing = {
  outcome: string | null;
  /** The server's message if another admin was faster. */
  refused: string | null;
  acting: MoneyPhase;
  rejecting: MoneyPhase;
  /** The page was loaded during an operation on the row. */
  inFlight: boolean;
};

export type ReviewState = Doing & {
  claim: ClaimState;
  /** The request is open and this admin may decide it. */
  mayAct: boolean;
  processing: boolean;
  /** Something is running, so no other action is allowed. */
  busy: boolean;
};

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
