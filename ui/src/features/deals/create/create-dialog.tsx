import { useNavigate } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { STACK } from '@/components/classes';
import { leavesEscape } from '@/components/combobox';
import { DialogPanel } from '@/components/dialog-panel';
import { PendingButton } from '@/components/pending-button';
import { Dialog } from '@/components/ui/dialog';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { deals } from '@/i18n/en/deals';
import { cn } from '@/lib/cn';
import { LimitNote } from '../limit-note';
import { CreateFields } from './create-fields';
import { useCreateDeal } from './use-create-deal';

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** What gets the focus back. */
  opener: RefObject<Element | null>;
};

/** The dialog of a new deal; a default export because it is loaded when it is first opened. */
export default function CreateDialog({ open, onOpenChange, opener }: Props) {
  const t = useTexts(deals);
  const c = useTexts(common);
  const navigate = useNavigate();
  const { form, submit, sending, error } = useCreateDeal(() => {
    onOpenChange(false);
    // A new deal is pending: its line is to be seen.
    void navigate({ to: '/deal', search: { tab: 'pending' }, resetScroll: false });
  });
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogPanel
        // A field that is focused for its error comes with its label.
        className="scroll-pt-22 scroll-pb-6"
        title={t('create')}
        description={t('create.lede')}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          if (opener.current instanceof HTMLElement) opener.current.focus();
        }}
        onEscapeKeyDown={(event) => {
          if (leavesEscape(event)) event.preventDefault();
        }}
      >
        <form className={cn(STACK, 'mt-4 gap-6 [&_input]:placeholder:text-subtle-foreground')} noValidate onSubmit={submit}>
          <CreateFields form={form} />
          <LimitNote error={error} />
          <PendingButton size="lg" type="submit" className="w-full" pending={sending} pendingText={c('sending')}>
            {t('create.submit')}
          </PendingButton>
        </form>
      </DialogPanel>
    </Dialog>
  );
}
