import type { ReactNode } from 'react';

/** The place of the figures: in one row on a wide screen; on a narrow one the last two share a row. */
export function FiguresGrid({ children }: { children: ReactNode }) {
  return (
    <div className="mb-10 grid grid-cols-2 gap-x-5 gap-y-7 wide:mb-14 wide:grid-cols-[1.5fr_1fr_1fr_1fr] wide:gap-8">
      {children}
    </div>
  );
}
