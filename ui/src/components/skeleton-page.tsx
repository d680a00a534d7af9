import type { ReactNode } from 'react';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';

type SkeletonPageProps = {
  /** Part of a page that has its heading already. */
  part?: boolean;
  children: ReactNode;
};

/** Skeletons of a page, hidden from screen readers behind one label. */
export function SkeletonPage({ part = false, children }: SkeletonPageProps) {
  const t = useTexts(common);
  const Word = part ? 'p' : 'h1';
  return (
    <div role="status" aria-live="polite" data-slot="skeleton-page">
      <Word className="sr-only">{t('loading')}</Word>
      <div aria-hidden="true">{children}</div>
    </div>
  );
}
