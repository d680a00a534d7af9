import { type ReactNode, useId } from 'react';
import { cn } from '@/lib/cn';

type SectionProps = {
  title: ReactNode;
  /** At the right end of the heading's line: a link, a button, a small text. */
  aside?: ReactNode;
  /** `small` is the plain heading of the facts column. */
  size?: 'large' | 'small';
  className?: string;
  children: ReactNode;
};

/** A section hangs from its matra, as Bengali letters hang from theirs; there is no card around it. */
export function Section({ title, aside, size = 'large', className, children }: SectionProps) {
  const id = useId();
  return (
    <section data-slot="section" className={cn('sec', className)} aria-labelledby={id}>
      <div className="sec__head">
        <h2 id={id} className={size === 'large' ? 'd24' : 'b'}>
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** Lines of facts: `<Facts rows={[['You paid', '$480.00'], …]} total={[…]} />`. The total gets the accountant's double rule. */
export function Facts({
  rows,
  total,
}: {
  rows: readonly (readonly [label: ReactNode, value: ReactNode])[];
  total?: readonly [ReactNode, ReactNode];
}) {
  return (
    <dl className="facts" data-slot="facts">
      {rows.map(([label, value], index) => (
        <div key={index}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {total ? (
        <div className="total">
          <dt>{total[0]}</dt>
          <dd>
            <span className="double">{total[1]}</span>
          </dd>
        </div>
      ) : null}
    </dl>
  );
}
