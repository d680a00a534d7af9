import type { ReactNode } from 'react';

type SkeletonPageProps = {
  label: string;
  /** Part of a page that has its heading already. */
  part?: boolean;
  children: ReactNode;
};

/** Skeletons of a page, hidden from screen readers behind one label. */
export function SkeletonPage({ label, part = false, children }: SkeletonPageProps) {
  const Word = part ? 'p' : 'h1';
  return (
    <div role="status" aria-live="polite" data-slot="skeleton-page">
      <Word className="sr-only">{label}</Word>
      <div aria-hidden="true">{children}</div>
    </div>
  );
}
