import type { ReactNode } from 'react';
import { useLanguage } from '@/i18n';
import { cn } from '@/lib/cn';

export const PEOPLE = [
  { _id: 'u-nusrat', username: 'nusrat', profilePic: '', isStaff: false },
  { _id: 'u-tanvir', username: 'tanvir', profilePic: '', isStaff: false },
  { _id: 'u-farhana', username: 'farhana', profilePic: '', isStaff: true },
  { _id: 'u-long', username: 'a_username_of_thirty_characters', profilePic: '', isStaff: false },
] as const;

/** A long title. */
export const LONG = 'Cooking channel with 41,200 subscribers, two playlists, a shop of its own and no strikes since 2019';

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
