import type { CSSProperties } from 'react';
import { cn } from '@/lib/cn';

/** A grey bar in the place of a text that is on its way. */
export function Skeleton({
  className,
  width,
  height,
}: {
  className?: string;
  width?: CSSProperties['width'];
  height?: CSSProperties['height'];
}) {
  return <span data-slot="skeleton" className={cn('sk block', className)} style={{ width, height }} />;
}
