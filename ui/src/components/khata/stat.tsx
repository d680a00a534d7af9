import type { ReactNode } from 'react';
import { cn } from '@/lib/cn';
import { isLong } from '@/lib/money';

type StatProps = {
  label: ReactNode;
  value: string;
  /** A dd under the words: a divided bar. */
  picture?: ReactNode;
  className?: string;
  children?: ReactNode;
};

/** One figure with its name above and its meaning below, hanging from a matra. */
export function Stat({ label, value, picture, className, children }: StatProps) {
  return (
    <dl data-slot="stat" className={cn('stat', className)}>
      <dt>{label}</dt>
      <dd className="money" data-long={isLong(value) || undefined}>
        {value}
      </dd>
      {children ? <dd className="m t14">{children}</dd> : null}
      {picture}
    </dl>
  );
}
