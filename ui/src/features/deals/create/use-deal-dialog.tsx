import { useRef, useState } from 'react';
import { useLatePart } from '@/hooks/use-late-part';
import { preload } from '@/lib/prefetch';
import type { DealStart } from './deal-start';

const loadDialog = () => import('./create-dialog');

export function useDealDialog(start: DealStart | null = null) {
  const [open, setOpen] = useState(false);
  // Stays mounted once opened, so that closing it loses no draft.
  const dialog = useLatePart(loadDialog, open, () => setOpen(false));
  const opener = useRef<Element>(null);
  return {
    open: () => {
      opener.current = document.activeElement;
      setOpen(true);
    },
    ahead: () => preload(loadDialog),
    element: dialog ? (
      // Another post is another deal.
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
