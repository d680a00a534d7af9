import { ChevronDown } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { count as format } from '@/lib/money';

type FoldProps = {
  title: string;
  /** How many things are inside. */
  count?: number;
  open?: boolean;
  /** Loads the content when it is opened. */
  late?: boolean;
  children: ReactNode;
};

/** A section that opens when its title is pressed: "History (5)". */
export function Fold({ title, count, open = false, late = false, children }: FoldProps) {
  const [shown, setShown] = useState(open);
  return (
    <details
      data-slot="fold"
      className="group/fold border-b"
      open={shown}
      onToggle={({ currentTarget }) => setShown(currentTarget.open)}
    >
      <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 hover:bg-muted [&::-webkit-details-marker]:hidden">
        <h2 className="font-semibold">{count === undefined ? title : `${title} (${format(count)})`}</h2>
        <ChevronDown className="size-5 flex-none group-open/fold:rotate-180" aria-hidden="true" />
      </summary>
      {shown || !late ? (
        <section aria-label={title} className="pt-1 pb-6">
          <Suspense>{children}</Suspense>
        </section>
      ) : null}
    </details>
  );
}
