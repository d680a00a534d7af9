import type { ReactNode } from 'react';

type SkeletonPageProps = {
  label: string;
  /** Only a part of a page, which has its heading already. */
  part?: boolean;
  children: ReactNode;
};

/** Wraps the skeletons of a page: one word for screen readers, the bars hidden from them. */
export function SkeletonPage({ label, part = false, children }: SkeletonPageProps) {
  const Word = part ? 'p' : 'h1';
  return (
    <div role="status" aria-live="polite" data-slot="skeleton-page">
      <Word className="sr-only">{label}</Word>
      <div aria-hidden="true">{children}</div>
    </div>
  );
}
