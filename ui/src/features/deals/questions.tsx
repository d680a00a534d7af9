import type { DealActions } from './actions';
import { Asks } from './asks';
import type { DealView } from './deal';
import { TroubleDialog } from './trouble';

/** What a deal's page asks before it acts. A lazy chunk: nothing of it shows before a press. */
export function Questions({ view, actions }: { view: DealView; actions: DealActions }) {
  return (
    <>
      <Asks view={view} actions={actions} />
      <TroubleDialog view={view} actions={actions} />
    </>
  );
}
