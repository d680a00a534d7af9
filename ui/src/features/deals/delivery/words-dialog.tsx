import { DialogPanel } from '@/components/dialog-panel';
import { Dialog } from '@/components/ui/dialog';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { trouble } from '@/i18n/en/trouble';
import { takesWords, type WordsAction } from '../actions/deal-actions';
import type { DealActions } from '../actions/use-deal-actions';
import type { DealView } from '../deal-view';
import { ChangesForm } from './changes-form';
import { DeliveryForm } from './delivery-form';

type Props = { view: DealView; actions: DealActions };

function Asked({ action, view, actions }: Props & { action: WordsAction }) {
  const t = useTexts(deals);
  const tTrouble = useTexts(trouble);
  const name = view.other.username;
  if (action === 'deliver') {
    return (
      <DialogPanel title={t('ask.deliver')} description={t('ask.deliverText', { name })}>
        <DeliveryForm view={view} actions={actions} />
      </DialogPanel>
    );
  }
  return (
    <DialogPanel
      title={tTrouble('ask.reset', { name })}
      description={tTrouble('ask.resetText', { name })}
      onOpenAutoFocus={(event) => {
        event.preventDefault();
        (event.currentTarget as HTMLElement).querySelector('textarea')?.focus();
      }}
    >
      <ChangesForm view={view} actions={actions} />
    </DialogPanel>
  );
}

export default function WordsDialog({ view, actions }: Props) {
  const { asked } = actions;
  return (
    <Dialog
      open={takesWords(asked)}
      onOpenChange={(open) => {
        if (!open) actions.close();
      }}
    >
      {takesWords(asked) ? <Asked key={asked} action={asked} view={view} actions={actions} /> : null}
    </Dialog>
  );
}
