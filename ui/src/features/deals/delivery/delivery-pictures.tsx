import { useQueryClient } from '@tanstack/react-query';
import { ImagePlus } from 'lucide-react';
import { type ClipboardEvent, useId, useState } from 'react';
import { FileButton } from '@/components/file-button';
import { FieldNote } from '@/components/form-field';
import { PictureTile, useDrop } from '@/components/picture-tile';
import { Field, FieldTitle } from '@/components/ui/field';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { delivery } from '@/i18n/en/deals';
import { cn } from '@/lib/cn';
import { fieldText, isApiError } from '@/lib/errors';
import { isPicture } from '@/lib/pictures';
import { notify } from '@/lib/toast';
import {
  type Attachment,
  type Attachments,
  addPictures,
  attachmentsAt,
  attachmentsPlace,
  dropAttachments,
  isUnderWay,
  MAX_PICTURES,
  type Purpose,
  removePicture,
  retryPicture,
  type Target,
  useAttachments,
} from './attachments';

/** Why the form cannot be sent: no chosen picture may be left out silently. */
function obstacle(all: Attachments): 'pictures.wait' | 'pictures.failed' | null {
  if (all.some(isUnderWay)) return 'pictures.wait';
  return all.some(({ failure }) => failure !== null) ? 'pictures.failed' : null;
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

type TileProps = { one: Attachment; at: number; target: Target };

function Tile({ one, at, target }: TileProps) {
  const t = useTexts(delivery);
  const { preview, image, failure } = one;
  return (
    <PictureTile
      name={t('picture.name', { at })}
      preview={preview}
      busy={isUnderWay(one) ? t(image === '' ? 'picture.preparing' : 'picture.uploading', { at }) : null}
      failed={failure !== null}
      retry={
        failure !== null && image !== '' ? { label: t('picture.retry', { at }), onClick: () => retryPicture(target, one) } : null
      }
      remove={{ label: t('picture.remove', { at }), onClick: () => void removePicture(target, one) }}
    />
  );
}

type Props = {
  target: Target;
  attachments: Attachments;
  /** Who sees the pictures, if not only the other party. */
  help?: string;
  error: string | undefined;
  dropping: boolean;
  onFiles: (files: readonly File[]) => void;
};

export function DeliveryPictures({ target, attachments, help, error, dropping, onFiles }: Props) {
  const t = useTexts(delivery);
  const labelId = useId();
  const noteId = useId();
  const done = attachments.filter(({ picture }) => picture !== null).length;
  const failure = attachments.find((one) => one.failure !== null)?.failure ?? undefined;
  return (
    <Field role="group" aria-labelledby={labelId} className={cn('gap-2', dropping && 'outline-2 outline-offset-4 outline-pen')}>
      <FieldTitle id={labelId}>
        {t('pictures')}
        <small className="text-sm font-normal text-muted-foreground">{t('optional')}</small>
      </FieldTitle>
      {attachments.length > 0 ? (
        <ul className="grid grid-cols-3 gap-2 xs:grid-cols-4">
          {attachments.map((one, index) => (
            <Tile key={one.key} one={one} at={index + 1} target={target} />
          ))}
        </ul>
      ) : null}
      {attachments.length < MAX_PICTURES ? (
        <FileButton multiple describedBy={noteId} onFiles={onFiles}>
          <ImagePlus aria-hidden="true" />
          {t('pictures.add')}
        </FileButton>
      ) : null}
      <FieldNote
        id={noteId}
        live
        help={dropping ? t('pictures.drop') : (help ?? t('picturesHelp', { most: MAX_PICTURES }))}
        error={error ?? failure}
      />
      <p role="status" aria-live="polite" className="sr-only">
        {attachments.length > 0 ? t('pictures.some', { done, count: attachments.length }) : null}
      </p>
    </Field>
  );
}
