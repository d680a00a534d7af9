import { ChevronDown } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';

type Props = { title: string; open?: boolean; children: ReactNode };

/** A row of the page that opens. What is in it is not loaded before. */
export function Fold({ title, open = false, children }: Props) {
  const [shown, setShown] = useState(open);
  return (
    <details className="group border-b" open={shown} onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
      <summary className="flex min-h-13 cursor-pointer list-none items-center justify-between gap-4 font-semibold [&::-webkit-details-marker]:hidden">
        {title}
        <ChevronDown className="flex-none group-open:rotate-180" aria-hidden="true" />
      </summary>
      {shown ? (
        <section aria-label={title} className="pt-1 pb-6">
          <Suspense>{children}</Suspense>
        </section>
      ) : null}
    </details>
  );
}
