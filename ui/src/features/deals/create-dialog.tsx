import { useNavigate } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { DialogPanel } from '@/components/dialog-panel';
import { Button } from '@/components/ui/button';
import { leavesEscape } from '@/components/ui/combobox';
import { Dialog } from '@/components/ui/dialog';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { deals } from '@/i18n/en/deals';
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
  const { form, submit, sending } = useCreateDeal(() => {
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
        <form
          className="stack g6 mt-4 [&_input]:placeholder:text-subtle-foreground"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <CreateFields form={form} />
          <Button type="submit" wide className="min-h-13 text-[17px]" busy={sending} busyText={c('sending')}>
            {t('create.submit')}
          </Button>
        </form>
      </DialogPanel>
    </Dialog>
  );
}
