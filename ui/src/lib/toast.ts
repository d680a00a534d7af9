type Kind = 'success' | 'error' | 'info';
export type Notice = { kind: Kind; text: string; description?: string | undefined };

// The toaster is a chunk of its own that arrives after the first paint; what is said before waits here.
let deliver: ((notice: Notice) => void) | null = null;
const waiting: Notice[] = [];

function say(notice: Notice): void {
  if (deliver) deliver(notice);
  else waiting.push(notice);
}

/** Short messages at the edge of the screen, with the lifetimes of SPEC §9: success 2 s, error 4 s, others 5 s. */
export const notify = {
  success: (text: string, description?: string) => say({ kind: 'success', text, description }),
  error: (text: string, description?: string) => say({ kind: 'error', text, description }),
  info: (text: string, description?: string) => say({ kind: 'info', text, description }),
};

/** The toaster registers here when it is on the page. */
export function deliverNotices(to: (notice: Notice) => void): () => void {
  deliver = to;
  for (const notice of waiting.splice(0)) to(notice);
  return () => {
    if (deliver === to) deliver = null;
  };
}
