import { type ReactNode, useId } from 'react';
import { cn } from '@/lib/cn';
import { HANGING, TOTAL } from './classes';

type SectionProps = {
  title: ReactNode;
  aside?: ReactNode;
  size?: 'large' | 'small';
  className?: string;
  children: ReactNode;
};

/** A titled section with a rule on top; no card. */
export function Section({ title, aside, size = 'large', className, children }: SectionProps) {
  const id = useId();
  return (
    <section data-slot="section" className={cn(HANGING, className)} aria-labelledby={id}>
      <div
        data-slot="section-head"
        className="mb-3 flex min-h-8 flex-wrap items-baseline justify-between gap-3 [&>a]:-my-3 [&>a]:py-3 [&>a]:text-sm"
      >
        <h2 id={id} className={size === 'large' ? 'font-display text-display-sm' : 'font-semibold'}>
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** `relative` for explanations below a fact. */
const FACT = 'relative flex justify-between gap-4 border-b py-2.5';

/** `<Facts rows={[['You paid', '$480.00'], …]} total={[…]} />`. The total gets a double rule. */
export function Facts({
  rows,
  total,
}: {
  rows: readonly (readonly [label: ReactNode, value: ReactNode])[];
  total?: readonly [ReactNode, ReactNode];
}) {
  return (
    <dl className="grid text-md" data-slot="facts">
      {rows.map(([label, value], index) => (
        <div key={index} className={FACT}>
          <dt className="wrap-normal text-muted-foreground">{label}</dt>
          <dd className="text-end tabular-nums">{value}</dd>
        </div>
      ))}
      {total ? (
        <div className="flex justify-between gap-4 py-2.5 font-semibold">
          <dt>{total[0]}</dt>
          <dd className="text-end tabular-nums">
            <span className={TOTAL}>{total[1]}</span>
          </dd>
        </div>
      ) : null}
    </dl>
  );
}
