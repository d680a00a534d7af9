type Kind = 'success' | 'error' | 'info';
type Remark = {
  kind: Kind;
  text: string;
  description?: string | undefined;
  /** A rule that a form broke: over when something succeeds. */
  correctable?: true;
};
/** Somebody has written: his name and picture, the beginning of the text, and where to answer. */
export type NewMessageNotice = { conversationId: string; name: string; picture: string; text: string };
export type Notice = Remark | ({ kind: 'message'; description?: undefined; correctable?: undefined } & NewMessageNotice);

// The toaster is a chunk of its own that arrives after the first paint; what is said before waits here.
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

/** Registers whoever can bring the toaster, and is told when a notice waits for it. */
export function onFirstNotice(bring: () => void): void {
  wanted = bring;
}

/** Short messages at the edge of the screen, with fixed lifetimes (docs/rules.md#toasts): success 2 s, error and new message 4 s, others 5 s. */
export const notify = {
  success: (text: string, description?: string) => say({ kind: 'success', text, description }),
  error: (text: string, description?: string) => say({ kind: 'error', text, description }),
  /** What is wrong with a form, before it is sent. */
  invalid: (text: string) => say({ kind: 'error', text, correctable: true }),
  info: (text: string, description?: string) => say({ kind: 'info', text, description }),
  message: (notice: NewMessageNotice) => say({ kind: 'message', ...notice }),
};

/** The toaster registers here when it is on the page. */
export function deliverNotices(to: (notice: Notice) => void): () => void {
  deliver = to;
  for (const notice of waiting.splice(0)) to(notice);
  return () => {
    if (deliver === to) deliver = null;
  };
}
