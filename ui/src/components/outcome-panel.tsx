import { CircleCheckBig, OctagonAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { cn } from '@/lib/cn';

const KINDS = {
  done: { icon: CircleCheckBig, border: 'border-status-done', text: 'text-status-done' },
  bad: { icon: OctagonAlert, border: 'border-destructive', text: 'text-destructive' },
};

type Props = {
  kind: keyof typeof KINDS;
  title: string;
  text?: ReactNode;
  children?: ReactNode;
};

/** Replaces a form with its result, and takes the focus, so that screen readers read it. */
export function OutcomePanel({ kind, title, text, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const { icon: Icon, ...styles } = KINDS[kind];
  return (
    <section data-slot="outcome" className={cn('grid justify-items-start gap-3 border-t-2 pt-5', styles.border)}>
      <Icon className={cn('size-8', styles.text)} aria-hidden="true" />
      <h2 className="font-display text-display-sm focus:outline-none" ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {text ? <p className="text-muted-foreground">{text}</p> : null}
      {children ? <div className="mt-2 flex min-w-0 flex-wrap items-center gap-3">{children}</div> : null}
    </section>
  );
}
