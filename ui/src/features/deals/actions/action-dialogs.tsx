import type { DealView } from '../deal-view';
import { TroubleDialog } from '../trouble/trouble-dialog';
import { ConfirmDialogs } from './confirm-dialogs';
import type { DealActions } from './use-deal-actions';

/** What a deal's page asks before it acts. A lazy chunk: nothing of it shows before a press. */
export function ActionDialogs({ view, actions }: { view: DealView; actions: DealActions }) {
  return (
    <>
      <ConfirmDialogs view={view} actions={actions} />
      <TroubleDialog view={view} actions={actions} />
    </>
  );
}
