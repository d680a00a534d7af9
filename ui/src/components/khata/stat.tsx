import type { ReactNode } from 'react';
import { cn } from '@/lib/cn';

/** One figure with its name above and its meaning below, hanging from a matra. */
export function Stat({
  label,
  value,
  className,
  children,
}: {
  label: ReactNode;
  value: ReactNode;
  className?: string;
  children?: ReactNode;
}) {
  return (
    <dl data-slot="stat" className={cn('stat', className)}>
      <dt>{label}</dt>
      <dd className="money">{value}</dd>
      {children ? <dd className="m t14">{children}</dd> : null}
    </dl>
  );
}
