import type { ComponentProps } from 'react';
import { Choice } from '@/components/choice';
import { DialogPanel } from '@/components/dialog-panel';
import { Dialog } from '@/components/ui/dialog';
import { Kbd } from '@/components/ui/kbd';
import { Sheet, SheetContent, SheetHeader, SheetTitle } from '@/components/ui/sheet';
import { Confirmation } from '@/entities/user/second-factor/confirmation-prompt';
import { useReturnFocus } from '@/hooks/use-focus';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { common } from '@/i18n/en/common';
import { RateDialog } from '../rate/rate-dialog';
import { SHORTCUTS, type Shortcut, setShortcutsOn, useShortcutsOn } from '../shortcuts/shortcuts';
import { SideLinks } from './side-links';

type Props = { open: boolean; setOpen: (open: boolean) => void; onRate: () => void; onKeys: () => void };

function SideSheet({ open, setOpen, onRate, onKeys }: Props) {
  const t = useTexts(admin);
  const tCommon = useTexts(common);
  return (
    <Sheet open={open} onOpenChange={setOpen}>
      <SheetContent side="left" closeLabel={tCommon('close')} aria-describedby={undefined}>
        <SheetHeader>
          <SheetTitle>{t('area')}</SheetTitle>
        </SheetHeader>
        <nav aria-label={t('menu')}>
          <SideLinks onRate={onRate} onKeys={onKeys} onLink={() => setOpen(false)} />
        </nav>
      </SheetContent>
    </Sheet>
  );
}

const PLACES = {
  '': 'keys.everywhere',
  '/admin/deposit': 'deposits',
  '/admin/withdrawal': 'withdrawals',
  '/admin/deals': 'deals',
  '/admin/disputes': 'disputes',
  '/admin/support-requests': 'support',
  '/admin/reports': 'reports',
} as const;

function KeyLine({ letters, does }: Shortcut) {
  const t = useTexts(admin);
  return (
    <div className="flex justify-between gap-4 border-b py-2.5">
      <dt className="text-muted-foreground">
        {letters.map((letter) => (
          <Kbd key={letter}>{letter}</Kbd>
        ))}
      </dt>
      <dd className="text-end tabular-nums">{t(does)}</dd>
    </div>
  );
}

/** The switch turns the keys off for speech input and accidental presses. */
function ShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTexts(admin);
  const on = useShortcutsOn();
  const focus = useReturnFocus();
  return (
    <Dialog open={open} onOpenChange={(wanted) => (wanted ? null : onClose())}>
      <DialogPanel
        title={t('keys.title')}
        description={t('keys.text')}
        onOpenAutoFocus={focus.remember}
        onCloseAutoFocus={focus.giveBack}
      >
        <Choice type="checkbox" label={t('keys.switch')} checked={on} onChange={({ target }) => setShortcutsOn(target.checked)} />
        {Object.entries(PLACES).map(([place, name]) => (
          <section key={place} className="mt-4" aria-label={t(name)}>
            <h3 className="text-sm font-semibold">{t(name)}</h3>
            <dl className="mt-1 grid text-md">
              {SHORTCUTS.filter((key) => (key.on ?? '') === place).map((key) => (
                <KeyLine key={key.letters.join()} {...key} />
              ))}
            </dl>
          </section>
        ))}
      </DialogPanel>
    </Dialog>
  );
}

type FrameDialogsProps = {
  open: 'rate' | 'keys' | null;
  onClose: () => void;
  side: ComponentProps<typeof SideSheet>;
};

export default function FrameDialogs({ open, onClose, side }: FrameDialogsProps) {
  const t = useTexts(admin);
  return (
    <>
      <SideSheet {...side} />
      <RateDialog open={open === 'rate'} onClose={onClose} />
      <ShortcutsDialog open={open === 'keys'} onClose={onClose} />
      <Confirmation text={t('confirmText')} />
    </>
  );
}
