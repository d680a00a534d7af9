import { type ReactNode, useId } from 'react';
import { buttonVariants } from '@/components/ui/button';
import { cn } from '@/lib/cn';

type Props = {
  accept: string;
  onFile: (file: File) => void;
  /** Id of what says why a file was not taken. */
  describedBy?: string | undefined;
  busy?: boolean;
  className?: string;
  children: ReactNode;
};

/** A button that opens the platform's choice of files: the field itself, which the keyboard reaches, lies unseen under its label. */
export function FileButton({ accept, onFile, describedBy, busy = false, className, children }: Props) {
  const id = useId();
  return (
    <span data-slot="file-button" className={cn('relative inline-flex', className)}>
      <input
        id={id}
        type="file"
        className="peer sr-only"
        accept={accept}
        aria-describedby={describedBy}
        aria-disabled={busy || undefined}
        onChange={({ target }) => {
          const file = target.files?.[0];
          // The same file may be chosen again after it was removed.
          target.value = '';
          if (file && !busy) onFile(file);
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
