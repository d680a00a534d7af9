import { Choice } from '@/components/choice';
import { DialogPanel } from '@/components/dialog-panel';
import { Dialog } from '@/components/ui/dialog';
import { Kbd } from '@/components/ui/kbd';
import { useReturnFocus } from '@/hooks/use-focus';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { SHORTCUTS, type Shortcut } from './shortcuts';
import { setShortcutsOn, useShortcutsOn } from './shortcuts-setting';

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
export function ShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
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
