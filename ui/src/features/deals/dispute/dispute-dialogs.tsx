import { AlertDialog } from '@/components/ui/alert-dialog';
import { Dialog } from '@/components/ui/dialog';
import { AppealDialog } from './appeal-form';
import { DisputeQuestion } from './confirm-dispute';
import { OfferDialog } from './offer-form';
import type { RoomView } from './room-view';
import type { DisputeActions } from './use-dispute-actions';

export default function DisputeDialogs({ view, actions }: { view: RoomView; actions: DisputeActions }) {
  const { asked, close } = actions;
  const closing = (open: boolean) => {
    if (!open) close();
  };
  const form = asked?.what === 'offer' || asked?.what === 'appeal' ? asked.what : null;
  return (
    <>
      <AlertDialog open={asked !== null && form === null} onOpenChange={closing}>
        <DisputeQuestion view={view} actions={actions} />
      </AlertDialog>
      <Dialog open={form !== null} onOpenChange={closing}>
        {form === 'offer' ? <OfferDialog view={view} actions={actions} /> : null}
        {form === 'appeal' ? <AppealDialog view={view} actions={actions} /> : null}
      </Dialog>
    </>
  );
}
