import { useEffect } from 'react';
import { useLatePart } from '@/hooks/use-late-part';
import { preload } from '@/lib/prefetch';
import { mayPropose } from '../counteroffer/use-counteroffer';
import type { DealView } from '../deal-view';
import { TroubleDialog } from '../trouble/trouble-dialog';
import { allowedActions } from './allowed-actions';
import { ConfirmDialogs } from './confirm-dialogs';
import { takesWords } from './deal-actions';
import type { DealActions } from './use-deal-actions';

const loadWords = () => import('../delivery/words-dialog');
const loadTerms = () => import('../counteroffer/counteroffer-dialog');

export function ActionDialogs({ view, actions }: { view: DealView; actions: DealActions }) {
  const mayWrite = allowedActions(view).some(takesWords);
  useEffect(() => {
    if (mayWrite) preload(loadWords);
  }, [mayWrite]);
  const proposes = mayPropose(view);
  useEffect(() => {
    if (proposes) preload(loadTerms);
  }, [proposes]);
  const terms = useLatePart(loadTerms, actions.asked === 'terms', actions.close);
  const words = useLatePart(loadWords, takesWords(actions.asked), actions.close);
  return (
    <>
      <ConfirmDialogs view={view} actions={actions} />
      <TroubleDialog view={view} actions={actions} />
      {terms ? <terms.Part view={view} actions={actions} /> : null}
      {words ? <words.Part view={view} actions={actions} /> : null}
    </>
  );
}
