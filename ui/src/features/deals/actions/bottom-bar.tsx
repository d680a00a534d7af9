import type { ReactNode } from 'react';
import { PageBar } from '@/components/page-bar';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';

/** The page's own action in a bar at the bottom of a phone. It comes early in the document. */
export function BottomBar({ children }: { children: ReactNode }) {
  const t = useTexts(deals);
  return (
    <PageBar role="group" aria-label={t('aside')}>
      {/* If text and button do not fit side by side (320 px, large sums), the text wraps out of
          the clipped line. */}
      <div className="flex h-13 flex-row-reverse flex-wrap items-center justify-between gap-x-3 gap-y-4 overflow-clip [overflow-clip-margin:6px]">
        {children}
      </div>
    </PageBar>
  );
}
