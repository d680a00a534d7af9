import { LoaderCircle } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

export function Spinner({ label, className, ...props }: ComponentProps<'span'> & { label: string }) {
  return (
    <span role="status" aria-live="polite" data-slot="spinner" className={cn('inline-flex', className)} {...props}>
      <LoaderCircle className="animate-spin" aria-hidden="true" />
      <span className="sr-only">{label}</span>
    </span>
  );
}
