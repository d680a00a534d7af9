import { useQueryClient } from '@tanstack/react-query';
import { type ClipboardEvent, type DragEvent, useState } from 'react';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { delivery } from '@/i18n/en/delivery';
import { fieldText, isApiError } from '@/lib/errors';
import { isPicture } from '@/lib/pictures';
import { notify } from '@/lib/toast';
import {
  type Attachments,
  attachmentsAt,
  attachmentsPlace,
  dropAttachments,
  isUnderWay,
  type Purpose,
  useAttachments,
} from './attachments';
import { addPictures } from './upload';

/** Why the form cannot be sent: no chosen picture may be left out silently. */
function obstacle(all: Attachments): 'pictures.wait' | 'pictures.failed' | null {
  if (all.some(isUnderWay)) return 'pictures.wait';
  return all.some(({ failure }) => failure !== null) ? 'pictures.failed' : null;
}

const isWithFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

function useDrop(onFiles: (files: readonly File[]) => void) {
  const [over, setOver] = useState(false);
  return {
    over,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!isWithFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        setOver(false);
        if (!isWithFiles(event)) return;
        event.preventDefault();
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
}

/** A form's pictures, uploaded while its text is written, and sent by id. */
export function usePictures(purpose: Purpose, dealId: string, failure: unknown) {
  const t = useTexts(delivery);
  const me = useMe();
  const client = useQueryClient();
  const place = attachmentsPlace(purpose, me._id, dealId);
  const target = { client, dealId, place, purpose };
  const attachments = useAttachments(place);
  const [tried, setTried] = useState(false);
  const add = (files: readonly File[]) => addPictures(target, files);
  const { over, handlers } = useDrop(add);
  const inTheWay = tried ? obstacle(attachments) : null;
  const refused = isApiError(failure) ? fieldText(failure, 'pictures') : undefined;
  return {
    /** The ids to send; null if a message said why not. */
    take: (): string[] | null => {
      const all = attachmentsAt(place);
      const why = obstacle(all);
      setTried(why !== null);
      if (why === null) return all.flatMap(({ picture }) => picture?._id ?? []);
      notify.invalid(t(why));
      return null;
    },
    drop: () => dropAttachments(place),
    handlers: {
      ...handlers,
      onPaste: (event: ClipboardEvent) => {
        const files = [...event.clipboardData.files].filter(isPicture);
        if (files.length === 0) return;
        event.preventDefault();
        add(files);
      },
    },
    field: { target, attachments, error: inTheWay === null ? refused : t(inTheWay), dropping: over, onFiles: add },
  };
}
