import type { ReactNode } from 'react';
import { cn } from '@/lib/cn';
import { isLong } from '@/lib/money';
import { HANGING, MONEY } from './classes';

type StatProps = {
  label: ReactNode;
  value: string;
  /** Extra `<dd>` below the value, e.g. a progress bar. */
  picture?: ReactNode;
  className?: string;
  children?: ReactNode;
};

export function Stat({ label, value, picture, className, children }: StatProps) {
  return (
    <dl data-slot="stat" className={cn(HANGING, className)}>
      <dt className="flex justify-between gap-2 text-md font-semibold">{label}</dt>
      <dd data-slot="stat-value" className={`mt-1.5 ${MONEY} ${isLong(value) ? 'text-[clamp(20px,5.6vw,32px)]' : 'text-[32px]'}`}>
        {value}
      </dd>
      {children ? <dd className="mt-1.5 text-sm text-muted-foreground">{children}</dd> : null}
      {picture}
    </dl>
  );
}
