import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';
import { box } from './checkbox';

/** Native radio; items with the same `name` form the group. */
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
