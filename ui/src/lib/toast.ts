type Kind = 'success' | 'error' | 'info';
type Remark = {
  kind: Kind;
  text: string;
  description?: string | undefined;
  /** A broken rule of a form; dismissed on the next success. */
  correctable?: true;
};
/** A new message: the sender, the beginning of the text, and the conversation. */
export type NewMessageNotice = { conversationId: string; name: string; picture: string; text: string };
export type Notice = Remark | ({ kind: 'message'; description?: undefined; correctable?: undefined } & NewMessageNotice);

// The toaster is a chunk that loads after the first paint; earlier notices wait here.
let deliver: ((notice: Notice) => void) | null = null;
let wanted: (() => void) | null = null;
const waiting: Notice[] = [];

function say(notice: Notice): void {
  if (deliver) {
    deliver(notice);
    return;
  }
  waiting.push(notice);
  wanted?.();
}

/** Registers the function that loads the toaster; it is called with the first notice. */
export function onFirstNotice(bring: () => void): void {
  wanted = bring;
}

/**
 * Toasts with fixed lifetimes (docs/rules.md#toasts): success 2 s, error and new message 4 s,
 * others 5 s.
 */
export const notify = {
  success: (text: string, description?: string) => say({ kind: 'success', text, description }),
  error: (text: string, description?: string) => say({ kind: 'error', text, description }),
  /** A form's broken rule, before it is sent. */
  invalid: (text: string) => say({ kind: 'error', text, correctable: true }),
  info: (text: string, description?: string) => say({ kind: 'info', text, description }),
  message: (notice: NewMessageNotice) => say({ kind: 'message', ...notice }),
};

/** Registers the toaster once it is mounted. */
export function deliverNotices(to: (notice: Notice) => void): () => void {
  deliver = to;
  for (const notice of waiting.splice(0)) to(notice);
  return () => {
    if (deliver === to) deliver = null;
  };
}
