import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

/** The second child is at the right end. */
export const labelStyles = 'flex justify-between gap-2 text-md font-semibold';

export function Label({ className, ...props }: ComponentProps<'label'>) {
  // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- its callers give htmlFor
  return <label data-slot="label" className={cn(labelStyles, className)} {...props} />;
}
