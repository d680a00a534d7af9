import { useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { KeyRound, Menu } from 'lucide-react';
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react';
import { NAV_LINE, STAND_IN, STAND_IN_WORDS } from '@/components/classes';
import { lazyPart } from '@/components/lazy-part';
import { Logo } from '@/components/logo';
import { Page } from '@/components/page';
import { Button, buttonVariants } from '@/components/ui/button';
import { Kbd } from '@/components/ui/kbd';
import { useMe } from '@/entities/user/queries';
import { useMinWidth } from '@/hooks/use-browser';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { cn } from '@/lib/cn';
import { isApiError } from '@/lib/errors';
import { HOME } from '@/lib/redirect';
import { shortcutsOf, useShortcutsOn } from '../shortcuts/shortcuts';
import { SideLinks } from './side-links';

/** The main part of an admin page. On a wide window it scrolls beside sidebar and drawer. */
export function AdminMain({ className, ...props }: Omit<ComponentProps<typeof Page>, 'bare'>) {
  return <Page bare className={cn('min-w-0 px-gutter pt-5 pb-8 wide:overflow-auto wide:px-5', className)} {...props} />;
}

export const OpenRateDialog = createContext<() => void>(() => undefined);

const THRESHOLD = 60;
// Touches that start here have other effects.
const IGNORED_TARGETS = 'input, textarea, select, [role=dialog], [role=alertdialog], [data-slot=tabs-nav], [data-slot=drawer]';

/** Calls `onSwipe` after a mostly horizontal swipe to the right. */
function useSwipeRight(onSwipe: () => void): void {
  const swiped = useEffectEvent(onSwipe);
  useEffect(() => {
    let start: { x: number; y: number } | null = null;
    const began = (event: TouchEvent) => {
      const touch = event.touches.length === 1 ? event.touches[0] : undefined;
      const elsewhere = event.target instanceof Element && event.target.closest(IGNORED_TARGETS) !== null;
      start = touch && !elsewhere ? { x: touch.clientX, y: touch.clientY } : null;
    };
    const ended = (event: TouchEvent) => {
      const touch = event.changedTouches[0];
      if (!start || !touch) return;
      const right = touch.clientX - start.x;
      const aside = Math.abs(touch.clientY - start.y);
      start = null;
      if (right > THRESHOLD && right > aside) swiped();
    };
    const cancelled = () => {
      start = null;
    };
    window.addEventListener('touchstart', began, { passive: true });
    window.addEventListener('touchend', ended, { passive: true });
    window.addEventListener('touchcancel', cancelled, { passive: true });
    return () => {
      window.removeEventListener('touchstart', began);
      window.removeEventListener('touchend', ended);
      window.removeEventListener('touchcancel', cancelled);
    };
  }, []);
}

/** The server refuses this admin's queries until they set up two-step login. */
function useFactorMissing(): boolean {
  const { secondFactor } = useMe();
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback((changed: () => void) => cache.subscribe(changed), [cache]);
  const refused = useSyncExternalStore(subscribe, () =>
    cache.getAll().some(({ state }) => isApiError(state.error, 'second_factor_missing')),
  );
  return refused && !secondFactor;
}

function KeyHints() {
  const t = useTexts(admin);
  const { pathname } = useLocation();
  const on = useShortcutsOn();
  const known = shortcutsOf(pathname);
  if (!on || known.length === 0) return null;
  return (
    <p className="mr-3 text-sm whitespace-nowrap text-muted-foreground max-lg:hidden [@media(hover:none)]:hidden">
      <span className="sr-only">{t('keys')}</span>
      {known.map(({ letters, does }) => (
        <span key={letters.join()} className="ml-1.5">
          {letters.map((letter) => (
            <Kbd key={letter}>{letter}</Kbd>
          ))}{' '}
          {t(does)}{' '}
        </span>
      ))}
    </p>
  );
}

function AdminHeader({ menu, onOpenMenu }: { menu: ReactNode; onOpenMenu: () => void }) {
  const t = useTexts(admin);
  return (
    <header className="relative z-20 border-b bg-background max-md:pt-2">
      <div className={`${NAV_LINE} px-5`}>
        <Button
          variant="ghost"
          size="icon"
          className="-ml-2 min-[1200px]:hidden"
          aria-label={t('openMenu')}
          aria-keyshortcuts="Control+B Meta+B"
          onClick={onOpenMenu}
        >
          <Menu aria-hidden="true" />
        </Button>
        <Logo to={HOME} className="max-md:hidden" />
        <span className="inline-flex items-center gap-1 rounded-xs bg-secondary px-2.5 py-1 text-sm">{t('area')}</span>
        <div className="ml-auto flex items-center md:gap-1">
          <KeyHints />
          {menu}
        </div>
      </div>
    </header>
  );
}

/** Replaces every admin page until the admin has set up two-step login. */
function FactorMissing() {
  const t = useTexts(admin);
  return (
    <AdminMain title={t('locked.title')} className={STAND_IN}>
      <div className={STAND_IN_WORDS}>
        <KeyRound className="size-10 text-muted-foreground" aria-hidden="true" />
        <h1 className="font-display text-display-md">{t('locked.title')}</h1>
        <p className="text-muted-foreground">{t('locked.text')}</p>
        <Link to="/security" className={buttonVariants({ className: 'mt-3' })}>
          {t('locked.link')}
        </Link>
      </div>
    </AdminMain>
  );
}

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
        <nav className="hidden content-start overflow-auto border-r py-4 min-[1200px]:grid" aria-label={t('menu')}>
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
