import type { CSSProperties, ReactNode } from 'react';
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

/** Wraps the skeletons of a page: one word for screen readers, the bars hidden from them. */
export function SkeletonPage({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="status" data-slot="skeleton-page">
      <h1 className="sr">{label}</h1>
      <div aria-hidden="true">{children}</div>
    </div>
  );
}
