import type { ReactNode } from 'react';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { liftToastsAbove } from '@/lib/toast';

/** The page's own action in a bar at the bottom of a phone. It comes early in the document. */
export function BottomBar({ children }: { children: ReactNode }) {
  const t = useTexts(deals);
  return (
    <div
      role="group"
      aria-label={t('aside')}
      ref={liftToastsAbove}
      data-bottom-bar=""
      className="fixed inset-x-0 bottom-0 z-35 border-t-2 border-foreground bg-background px-gutter pt-2.5 pb-[max(10px,env(safe-area-inset-bottom))] lg:hidden"
    >
      {/* If text and button do not fit side by side (320 px, large sums), the text wraps out of
          the clipped line. */}
      <div className="flex h-13 flex-row-reverse flex-wrap items-center justify-between gap-x-3 gap-y-4 overflow-clip [overflow-clip-margin:6px]">
        {children}
      </div>
    </div>
  );
}
