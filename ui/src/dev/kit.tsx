import type { ReactNode } from 'react';
import { useLanguage } from '@/i18n';
import { cn } from '@/lib/cn';

/** A section: its parts by file name. */
export type Group = { title: string; parts: Record<string, () => ReactNode> };

/** Chooses a sample's text by language. */
export function useSay() {
  const bangla = useLanguage() === 'bn';
  return (english: string, bengali: string) => (bangla ? bengali : english);
}

/** The samples of a part, side by side where possible. */
export function Samples({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={cn('grid gap-x-8 gap-y-6 sm:grid-cols-2', className)}>{children}</div>;
}

type SampleProps = {
  /** The props or the state shown. */
  of: string;
  /** As wide as the page. */
  wide?: boolean;
  /** In a row instead of a column. */
  row?: boolean;
  className?: string;
  children: ReactNode;
};

export function Sample({ of, wide = false, row = false, className, children }: SampleProps) {
  return (
    <figure className={cn('grid min-w-0 content-start gap-2', wide && 'col-span-full', className)}>
      <figcaption className="text-caption text-muted-foreground">{of}</figcaption>
      <div className={cn('min-w-0', row ? 'flex flex-wrap items-center gap-3' : 'grid gap-3')}>{children}</div>
    </figure>
  );
}
