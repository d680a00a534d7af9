import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';
import { box } from './checkbox';

/** The browser's own radio button, drawn anew. Those of one `name` in a FieldSet are a group, whose arrow keys are the browser's, too. */
export function RadioGroupItem({ className, ...props }: ComponentProps<'input'>) {
  return (
    <input
      type="radio"
      data-slot="radio-group-item"
      className={cn(box, 'rounded-full checked:after:size-2 checked:after:rounded-full checked:after:bg-background', className)}
      {...props}
    />
  );
}
