import type { ReactNode } from 'react';

/** The post beside its price and seller; in one column on a narrow screen, above the sections. */
export function DetailColumns({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col gap-8 lg:grid lg:grid-cols-[minmax(0,1fr)_344px] lg:items-start lg:gap-x-12">{children}</div>
  );
}

export function PostColumn({ children }: { children: ReactNode }) {
  return (
    <div className="contents lg:grid lg:min-w-0 lg:content-start lg:gap-8 lg:*:min-w-0 max-lg:[&>section]:order-3">
      {children}
    </div>
  );
}

export function OfferColumn({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <aside className="contents max-lg:*:order-2 lg:sticky lg:top-6 lg:mt-2 lg:grid lg:gap-8" aria-label={label}>
      {children}
    </aside>
  );
}
