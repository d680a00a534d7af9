/**
 * Overlays (dialogs, sheets, menus) and Back. On a phone, Back closes the topmost overlay instead of leaving the page: while n overlays are open,
 * n history entries with the page's address lie above its own. The router does not know of them.
 */

/** The router's history: where it believes the page to be. */
type Router = { location: { href: string; state: object } };

const PHONE = '(max-width: 767.98px), (pointer: coarse)';

const open: { close: () => void }[] = [];
let router: Router | undefined;
let scheduled = false;
/** Whether a history.go() of ours is under way. */
let going = false;
/** Resolves the promises of `overlaysClosed`. */
let waiting: (() => void)[] = [];

type State = { overlays?: number } | null;

const entries = (): number => (window.history.state as State)?.overlays ?? 0;

const atHome = (history: Router): boolean => {
  const { pathname, search, hash } = window.location;
  return history.location.href === pathname + search + hash;
};

/** Adds an entry without telling the router, which wraps window.history.pushState. */
const push = (state: object, href?: string) => History.prototype.pushState.call(window.history, state, '', href);

/** Adds or takes away entries until there are as many as overlays. */
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

/** Waits for what closes and opens in the same task: a menu that opens a dialog, a link in a menu. */
function settleSoon(): void {
  if (scheduled) return;
  scheduled = true;
  setTimeout(settle);
}

function moved(event: PopStateEvent): void {
  if (!router || (open.length === 0 && entries() === 0 && !going)) return;
  if (going) {
    going = false;
    event.stopImmediatePropagation();
    // The browser goes back some milliseconds after it is told to. It does not know of a link that was followed meanwhile.
    if (!atHome(router)) push(router.location.state, router.location.href);
  } else if (atHome(router)) {
    event.stopImmediatePropagation();
    for (const { close } of open.slice(entries()).reverse()) close();
  }
  // Otherwise to another page, or to one that was left from an overlay: the router shows it.
  settleSoon();
}

/** Registers an open overlay; returns what takes it away. Off a phone, Back leaves the page as ever, as it does where the router has no address. */
export function overlayOpened(close: () => void, history: Router): () => void {
  if (!window.matchMedia(PHONE).matches || !atHome(history)) return () => undefined;
  if (!router) window.addEventListener('popstate', moved, { capture: true });
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
 * Resolves when every overlay is closed and the page's own history entry is the current one. Whoever replaces the entry waits for that:
 * otherwise an overlay's entry is replaced, and Back leads to the page.
 */
export function overlaysClosed(): Promise<void> {
  if (open.length === 0 && entries() === 0 && !going) return Promise.resolve();
  return new Promise((resolve) => waiting.push(resolve));
}
