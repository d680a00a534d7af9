import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

/** A text field. Use inside Field, which wires label, help and error. */
export function Input({ className, type = 'text', ...props }: ComponentProps<'input'>) {
  return <input type={type} data-slot="input" className={cn('input', className)} {...props} />;
}

export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return <textarea data-slot="textarea" className={cn('input', className)} {...props} />;
}

/** The platform's own select: on a phone its picker is the best one there is. */
export function Select({ className, ...props }: ComponentProps<'select'>) {
  return <select data-slot="select" className={cn('input', className)} {...props} />;
}
