import { useRef, useState } from 'react';
import { useLatePart } from '@/hooks/use-late-part';
import { prefetch } from '@/lib/prefetch';
import type { DealStart } from './deal-start';

// Its form and its rules are only for those who open it.
const loadDialog = () => import('./create-dialog');

/** The dialog of a new deal on a page: what opens it, and its element. */
export function useDealDialog(start: DealStart | null = null) {
  const [open, setOpen] = useState(false);
  // Once opened it stays, so that a draft outlives a dialog that was closed too early.
  const dialog = useLatePart(loadDialog, open, () => setOpen(false));
  const opener = useRef<Element>(null);
  return {
    open: () => {
      opener.current = document.activeElement;
      setOpen(true);
    },
    /** For a pointer that rests on the button. */
    ahead: () => prefetch(loadDialog()),
    element: dialog ? (
      // About another post it is another deal.
      <dialog.Part
        key={`${start?.other._id} ${start?.post?._id}`}
        open={open}
        onOpenChange={setOpen}
        opener={opener}
        start={start}
      />
    ) : null,
  };
}
