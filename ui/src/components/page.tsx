import { type ReactNode, useEffect } from 'react';
import { CONTAINER } from '@/components/classes';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { cn } from '@/lib/cn';
import { completeHydration } from '@/prerender/hydration';

type PageProps = {
  /** For the window's title: "{title} | Amanat". */
  title: string;
  bareTitle?: boolean;
  bare?: boolean;
  /** As high as the window, with parts that scroll. On a phone, `alone` covers the header, too. */
  fill?: 'window' | 'alone';
  /** A part hydrates later and calls `completeHydration` itself. */
  late?: boolean;
  className?: string;
  children: ReactNode;
};

/** The main landmark of a page, with its title. It gets the focus on navigation. */
export function Page({ title, bareTitle = false, bare = false, fill, late = false, className, children }: PageProps) {
  const t = useTexts(common);
  const whole = bareTitle ? title : t('title', { page: title });
  useEffect(() => {
    document.title = whole;
  }, [whole]);
  useEffect(() => {
    if (!late) completeHydration();
  }, [late]);
  return (
    <main
      id="main"
      tabIndex={-1}
      data-fill={fill}
      className={cn('outline-none', !bare && `${CONTAINER} pt-6 pb-16 md:pt-8 md:pb-24`, className)}
    >
      {children}
    </main>
  );
}
