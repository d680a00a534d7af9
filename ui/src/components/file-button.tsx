import { type ReactNode, useId } from 'react';
import { buttonVariants } from '@/components/ui/button';
import { cn } from '@/lib/cn';

type Props = {
  accept: string;
  /** At least one; with `multiple`, all that were chosen. */
  onFiles: (files: [File, ...File[]]) => void;
  multiple?: boolean;
  /** Id of what says why a file was not taken. */
  describedBy?: string | undefined;
  busy?: boolean;
  className?: string;
  children: ReactNode;
};

/** A button that opens the platform's choice of files: the field itself, which the keyboard reaches, lies unseen under its label. */
export function FileButton({ accept, onFiles, multiple, describedBy, busy = false, className, children }: Props) {
  const id = useId();
  return (
    <span data-slot="file-button" className={cn('relative inline-flex', className)}>
      <input
        id={id}
        type="file"
        className="peer sr-only"
        accept={accept}
        multiple={multiple}
        aria-describedby={describedBy}
        aria-disabled={busy || undefined}
        onChange={({ target }) => {
          const [first, ...others] = target.files ?? [];
          // The same file may be chosen again after it was removed.
          target.value = '';
          if (first && !busy) onFiles([first, ...others]);
        }}
      />
      <label
        htmlFor={id}
        className={buttonVariants({
          variant: 'outline',
          className:
            'cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-pen',
        })}
      >
        {children}
      </label>
    </span>
  );
}
