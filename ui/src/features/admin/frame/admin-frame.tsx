import { type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { lazyPart } from '@/components/lazy-part';
import { useMinWidth } from '@/hooks/use-browser';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { OpenRateDialog } from '../rate/rate-dialog-context';
import { AdminHeader } from './admin-header';
import { FactorMissing } from './factor-missing';
import { SideLinks } from './side-links';
import { useFactorMissing } from './use-factor-missing';
import { useSwipeRight } from './use-swipe';

// Their forms would be a tenth of each page's code.
const Dialogs = lazyPart(() => import('./frame-dialogs'));

/** As in the classes below. */
const SIDEBAR_FIXED = 1200;

/** The sheet is only for windows without the fixed sidebar. */
function useSideSheet() {
  const fixed = useMinWidth(SIDEBAR_FIXED);
  const [wanted, setWanted] = useState(false);
  const open = wanted && !fixed;
  useSwipeRight(() => setWanted(!fixed));
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (fixed || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.code !== 'KeyB') return;
    event.preventDefault();
    setWanted(!open);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => pressed(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  return { open, setOpen: setWanted };
}

type Props = {
  menu: ReactNode;
  banners: ReactNode;
  children: ReactNode;
};

/** Below 1200 px the sidebar is a sheet (button, Ctrl/⌘+B, swipe right). */
export function AdminFrame({ menu, banners, children }: Props) {
  const t = useTexts(admin);
  const sheet = useSideSheet();
  const [dialog, setDialog] = useState<'rate' | 'keys' | null>(null);
  const open = (wanted: 'rate' | 'keys') => () => {
    sheet.setOpen(false);
    setDialog(wanted);
  };
  const openRate = open('rate');
  const openKeys = open('keys');
  const locked = useFactorMissing();
  return (
    <>
      <AdminHeader menu={menu} onOpenMenu={() => sheet.setOpen(true)} />
      {banners}
      <div className="grid wide:min-h-0 wide:flex-1 wide:grid-rows-[minmax(0,1fr)] wide:has-data-[slot=drawer]:grid-cols-[minmax(0,1fr)_392px] min-[1200px]:grid-cols-[232px_minmax(0,1fr)] min-[1200px]:has-data-[slot=drawer]:grid-cols-[232px_minmax(0,1fr)_392px]">
        <nav className="hidden content-start border-r py-4 min-[1200px]:grid" aria-label={t('menu')}>
          <SideLinks onRate={openRate} onKeys={openKeys} />
        </nav>
        <OpenRateDialog value={openRate}>{locked ? <FactorMissing /> : children}</OpenRateDialog>
      </div>
      <Suspense>
        <Dialogs open={dialog} onClose={() => setDialog(null)} side={{ ...sheet, onRate: openRate, onKeys: openKeys }} />
      </Suspense>
    </>
  );
}
