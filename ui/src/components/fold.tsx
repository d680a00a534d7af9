import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { count as format } from '@/lib/money';

type FoldProps = { title: string /** How many things are inside. */; count?: number; children: ReactNode };

/** A section that is closed until its title is pressed: "History (5)". */
export function Fold({ title, count, children }: FoldProps) {
  return (
    <details data-slot="fold" className="group/fold border-b">
      <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 hover:bg-muted [&::-webkit-details-marker]:hidden">
        <h2 className="font-semibold">{count === undefined ? title : `${title} (${format(count)})`}</h2>
        <ChevronDown className="size-5 group-open/fold:rotate-180" aria-hidden="true" />
      </summary>
      <div className="pt-1 pb-6">{children}</div>
    </details>
  );
}
