import type { RefObject } from 'react';
import { PictureDialog, type Shown } from '@/components/picture-dialog';
import { Dialog } from '@/components/ui/dialog';

type Props = {
  shown: Shown | null;
  all: readonly Shown[];
  opener: RefObject<HTMLElement | null>;
  onClose: () => void;
};

export default function PictureViewer({ shown, all, opener, onClose }: Props) {
  return (
    <Dialog
      open={shown !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      {shown ? <PictureDialog title={shown.alt} src={shown.src} alt={shown.alt} all={all} opener={opener} /> : null}
    </Dialog>
  );
}
