type Kind = 'success' | 'error' | 'info';
type Remark = {
  kind: Kind;
  text: string;
  description?: string | undefined;
  /** A broken rule of a form; dismissed on the next success. */
  correctable?: true;
  /** Replaces the toast of an earlier copy. */
  copy?: true;
};
/** A new message: the sender, the beginning of the text, and the conversation. */
export type NewMessageNotice = { conversationId: string; name: string; picture: string; text: string };
export type Notice =
  | Remark
  | ({ kind: 'message'; description?: undefined; correctable?: undefined; copy?: undefined } & NewMessageNotice);

// The toaster is a chunk that loads after the first paint; earlier notices wait here.
let deliver: ((notice: Notice) => void) | null = null;
let onFirst: (() => void) | null = null;
const waiting: Notice[] = [];

function show(notice: Notice): void {
  if (deliver) {
    deliver(notice);
    return;
  }
  waiting.push(notice);
  onFirst?.();
}

/** Registers the function that loads the toaster; it is called with the first notice. */
export function onFirstNotice(loadToaster: () => void): void {
  onFirst = loadToaster;
}

/** Lifetimes (docs/rules.md#toasts): success 2 s, error and new message 4 s, others 5 s. */
export const notify = {
  success: (text: string, description?: string) => show({ kind: 'success', text, description }),
  copied: (text: string) => show({ kind: 'success', text, copy: true }),
  error: (text: string, description?: string) => show({ kind: 'error', text, description }),
  invalid: (text: string) => show({ kind: 'error', text, correctable: true }),
  info: (text: string, description?: string) => show({ kind: 'info', text, description }),
  message: (notice: NewMessageNotice) => show({ kind: 'message', ...notice }),
};

/** Puts toasts on phones above what covers the bottom of the window, in pixels. */
export function liftToasts(covered: number): void {
  document.documentElement.style.setProperty('--toasts-from', `${covered + 12}px`);
}

/** Ref of a bar at the bottom that may appear while there are toasts. */
export function liftToastsAbove(bar: HTMLElement | null): void {
  if (bar) liftToasts(bar.offsetHeight);
}

export function deliverNotices(to: (notice: Notice) => void): () => void {
  deliver = to;
  for (const notice of waiting.splice(0)) to(notice);
  return () => {
    if (deliver === to) deliver = null;
  };
}
