import { type ReactNode, useId } from 'react';
import { buttonVariants } from '@/components/ui/button';

type Props = {
  /** All chosen files; one without `multiple`. */
  onFiles: (files: [File, ...File[]]) => void;
  multiple?: boolean;
  describedBy: string;
  busy?: boolean;
  children: ReactNode;
};

/** Opens the picker of pictures. The input is visually hidden, and reachable by the keyboard. */
export function FileButton({ onFiles, multiple, describedBy, busy = false, children }: Props) {
  const id = useId();
  return (
    <span data-slot="file-button" className="relative inline-flex">
      <input
        id={id}
        type="file"
        className="peer sr-only"
        accept="image/*"
        multiple={multiple}
        aria-describedby={describedBy}
        aria-disabled={busy || undefined}
        onChange={({ target }) => {
          const [first, ...others] = target.files ?? [];
          // Allows to choose the same file again.
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
