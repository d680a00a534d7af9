/**
 * Overlays (dialogs, sheets, menus) and Back. On a phone, Back closes the topmost overlay instead
 * of leaving the page: while n overlays are open, n history entries with the page's address lie
 * above its own. The router does not know them.
 */

type Router = { location: { href: string; state: object } };

const PHONE = '(max-width: 767.98px), (pointer: coarse)';

const open: { close: () => void }[] = [];
let router: Router | undefined;
let scheduled = false;
/** A history.go() of ours is under way. */
let going = false;
/** Resolves the promises of `overlaysClosed`. */
let waiting: (() => void)[] = [];

type State = { overlays?: number } | null;

const entries = (): number => (window.history.state as State)?.overlays ?? 0;

const atHome = (history: Router): boolean => {
  const { pathname, search, hash } = window.location;
  return history.location.href === pathname + search + hash;
};

/** Adds an entry without the router, which wraps window.history.pushState. */
const push = (state: object, href?: string) => History.prototype.pushState.call(window.history, state, '', href);

/** Adds or removes entries until there is one for each overlay. */
function settle(): void {
  scheduled = false;
  if (going) return;
  const wanted = open.length;
  const there = entries();
  for (let overlays = there + 1; overlays <= wanted; overlays += 1) push({ ...(window.history.state as State), overlays });
  if (there > wanted) {
    going = true;
    window.history.go(wanted - there);
  } else if (wanted === 0) {
    for (const go of waiting) go();
    waiting = [];
  }
}

/** Waits until the task ends, since a menu may open a dialog, or contain a link. */
function settleSoon(): void {
  if (scheduled) return;
  scheduled = true;
  setTimeout(settle);
}

function onPopState(event: PopStateEvent): void {
  if (!router || (open.length === 0 && entries() === 0 && !going)) return;
  if (going) {
    going = false;
    event.stopImmediatePropagation();
    // The browser goes back some milliseconds later, unaware of a link followed meanwhile.
    if (!atHome(router)) push(router.location.state, router.location.href);
  } else if (atHome(router)) {
    event.stopImmediatePropagation();
    for (const { close } of open.slice(entries()).reverse()) close();
  }
  // It went to another page, or to one that was left from an overlay. The router shows it.
  settleSoon();
}

/** Registers an open overlay and returns its removal. Only on phones with a router. */
export function overlayOpened(close: () => void, history: Router): () => void {
  if (!window.matchMedia(PHONE).matches || !atHome(history)) return () => undefined;
  if (!router) window.addEventListener('popstate', onPopState, { capture: true });
  router = history;
  const overlay = { close };
  open.push(overlay);
  settleSoon();
  return () => {
    open.splice(open.indexOf(overlay), 1);
    settleSoon();
  };
}

/**
 * Resolves when all overlays are closed and the page's own history entry is current. Wait for it
 * before you replace the entry: otherwise an overlay's entry is replaced, and Back leads to the
 * same page.
 */
export function overlaysClosed(): Promise<void> {
  if (open.length === 0 && entries() === 0 && !going) return Promise.resolve();
  return new Promise((resolve) => waiting.push(resolve));
}
