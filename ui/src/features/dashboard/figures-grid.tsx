import type { ReactNode } from 'react';

export function FiguresGrid({ children }: { children: ReactNode }) {
  return <div className="mb-10 grid gap-y-7 wide:mb-14 wide:grid-cols-2 wide:gap-x-12">{children}</div>;
}
