import { ImageOff, RotateCw, X } from 'lucide-react';
import { type DragEvent, type ReactNode, useState } from 'react';
import { Spinner } from '@/components/ui/spinner';
import { cn } from '@/lib/cn';

const isWithFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

/** The handlers of what files can be dropped on, and whether some are over it. */
export function useDrop(onFiles: (files: readonly File[]) => void) {
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

/** A 44 px target with a smaller sign, visible on any picture. */
export const ON_PICTURE =
  'absolute grid size-11 place-items-center text-foreground *:size-7 *:rounded-full *:border *:border-foreground *:bg-background *:p-1.25';

type Act = { label: string; onClick: () => void };

type Props = {
  name: string;
  /** "" while there is none. */
  preview: string;
  /** What is under way. */
  busy?: string | null;
  failed?: boolean;
  retry?: Act | null;
  remove: Act;
  /** More buttons. */
  children?: ReactNode;
};

/** A picture that was added to a form: prepared, uploading, refused or uploaded. */
export function PictureTile({ name, preview, busy = null, failed = false, retry = null, remove, children }: Props) {
  const [broken, setBroken] = useState(false);
  return (
    <li className={cn('relative aspect-square border bg-secondary', failed && 'border-2 border-destructive')}>
      {preview === '' || broken ? (
        busy === null ? (
          <ImageOff className="absolute inset-0 m-auto text-muted-foreground" role="img" aria-label={name} />
        ) : null
      ) : (
        <img
          src={preview}
          alt={name}
          className={cn('size-full object-cover', (busy !== null || failed) && 'opacity-40')}
          onError={() => setBroken(true)}
        />
      )}
      {busy === null ? null : <Spinner label={busy} className="absolute inset-0 m-auto size-5" />}
      {retry === null ? null : (
        <button type="button" className={cn(ON_PICTURE, 'inset-0 m-auto')} aria-label={retry.label} onClick={retry.onClick}>
          <RotateCw aria-hidden="true" />
        </button>
      )}
      {children}
      <button type="button" className={cn(ON_PICTURE, '-top-1 -right-1')} aria-label={remove.label} onClick={remove.onClick}>
        <X aria-hidden="true" />
      </button>
    </li>
  );
}
