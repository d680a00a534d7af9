import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

/** What is after the first child stands at the right end. */
export const labelStyles = 'flex justify-between gap-2 text-md font-semibold';

export function Label({ className, ...props }: ComponentProps<'label'>) {
  return <label data-slot="label" className={cn(labelStyles, className)} {...props} />;
}
