import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

/** The box of a checkbox and of a radio button. */
export const box =
  'mt-px grid size-5.5 flex-none appearance-none place-items-center border-[1.5px] border-input bg-background checked:border-primary checked:bg-primary';

/** The browser's own checkbox, drawn anew. */
export function Checkbox({ className, ...props }: ComponentProps<'input'>) {
  return (
    <input
      type="checkbox"
      data-slot="checkbox"
      className={cn(
        box,
        'rounded-xs checked:after:h-2.75 checked:after:w-1.5 checked:after:-translate-y-px checked:after:rotate-42 checked:after:border-r-[2.5px] checked:after:border-b-[2.5px] checked:after:border-background',
        className,
      )}
      {...props}
    />
  );
}
