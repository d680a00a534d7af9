import { useEffect } from 'react';
import { useLatePart } from '@/hooks/use-late-part';
import { prefetch } from '@/lib/prefetch';
import type { DealView } from '../deal-view';
import { TroubleDialog } from '../trouble/trouble-dialog';
import { allowedActions } from './allowed-actions';
import { ConfirmDialogs } from './confirm-dialogs';
import { takesWords } from './deal-actions';
import type { DealActions } from './use-deal-actions';

// Forms: only for who delivers or wants changes.
const loadWords = () => import('../delivery/words-dialog');

/** What a deal's page asks before it acts. A lazy chunk: nothing of it shows before a press. */
export function ActionDialogs({ view, actions }: { view: DealView; actions: DealActions }) {
  const mayWrite = allowedActions(view).some(takesWords);
  useEffect(() => {
    if (mayWrite) prefetch(loadWords());
  }, [mayWrite]);
  const words = useLatePart(loadWords, takesWords(actions.asked), actions.close);
  return (
    <>
      <ConfirmDialogs view={view} actions={actions} />
      <TroubleDialog view={view} actions={actions} />
      {words ? <words.Part view={view} actions={actions} /> : null}
    </>
  );
}
