import { LoaderCircle } from 'lucide-react';
import { cn } from '@/lib/cn';

/** A turning circle with a word for screen readers. */
export function Spinner({ label, className }: { label: string; className?: string }) {
  return (
    <span role="status" aria-live="polite" data-slot="spinner" className={cn('inline-flex', className)}>
      <LoaderCircle className="spin" aria-hidden="true" />
      <span className="sr">{label}</span>
    </span>
  );
}
