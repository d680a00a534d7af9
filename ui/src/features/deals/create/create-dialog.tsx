import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useState } from 'react';
import type { DealInvite } from '@/api/contract';
import { STACK } from '@/components/classes';
import { leavesEscape } from '@/components/combobox';
import { DialogPanel } from '@/components/dialog-panel';
import { PendingButton } from '@/components/pending-button';
import { Dialog } from '@/components/ui/dialog';
import { useStillHere } from '@/hooks/use-still-here';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { deals } from '@/i18n/en/deals';
import { invite as catalogue } from '@/i18n/en/invite';
import { cn } from '@/lib/cn';
import { InviteReady } from '../invite/invite-ready';
import { LimitNote } from '../limit-note';
import { CreateFields } from './create-fields';
import type { DealStart } from './deal-start';
import { useCreateDeal } from './use-create-deal';

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  opener: RefObject<Element | null>;
  start: DealStart | null;
};

export default function CreateDialog({ open, onOpenChange, opener, start }: Props) {
  const t = useTexts(deals);
  const tCommon = useTexts(common);
  const tInvite = useTexts(catalogue);
  const navigate = useNavigate();
  const here = useStillHere();
  const [invite, setInvite] = useState<DealInvite | null>(null);
  const close = () => {
    onOpenChange(false);
    // Shows the pending link in the list.
    void navigate({ to: '/deal', search: { tab: 'pending' }, resetScroll: false });
  };
  const { form, submit, sending, error } = useCreateDeal(start, (made) => {
    if ('code' in made) {
      setInvite(made);
      return;
    }
    onOpenChange(false);
    if (here()) void navigate({ to: '/deal/$dealId', params: { dealId: made._id } });
  });
  const leave = (wanted: boolean) => {
    if (invite && !wanted) {
      setInvite(null);
      close();
    } else onOpenChange(wanted);
  };
  return (
    <Dialog open={open} onOpenChange={leave}>
      <DialogPanel
        // Scrolls a focused field into view with its label.
        className="scroll-pt-22 scroll-pb-6"
        title={invite ? tInvite('ready') : t('create')}
        description={invite ? tInvite('readyText') : t('create.lede')}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          if (opener.current instanceof HTMLElement) opener.current.focus();
        }}
        onEscapeKeyDown={(event) => {
          if (leavesEscape(event)) event.preventDefault();
        }}
      >
        {invite ? (
          <InviteReady invite={invite} onDone={() => leave(false)} />
        ) : (
          <form className={cn(STACK, 'mt-4 gap-6 [&_input]:placeholder:text-subtle-foreground')} noValidate onSubmit={submit}>
            <CreateFields form={form} />
            <LimitNote error={error} />
            <PendingButton size="lg" type="submit" className="w-full" pending={sending} pendingText={tCommon('sending')}>
              {t('create.submit')}
            </PendingButton>
          </form>
        )}
      </DialogPanel>
    </Dialog>
  );
}
