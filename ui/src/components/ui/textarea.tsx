import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';
import { control, readOnly } from './input';

export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return <textarea data-slot="textarea" className={cn(control, readOnly, 'min-h-24 resize-y', className)} {...props} />;
}
