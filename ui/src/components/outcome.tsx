import { CircleCheckBig, OctagonAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import './outcome.css';

type Props = { kind: 'done' | 'bad'; title: string; text?: ReactNode /** Where to go from here. */; children?: ReactNode };

/** What a form came to, in its place. It takes the focus, so that a screen reader reads it and the keyboard goes on from here. */
export function Outcome({ kind, title, text, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const Icon = kind === 'done' ? CircleCheckBig : OctagonAlert;
  return (
    <section className="outcome" data-kind={kind}>
      <Icon aria-hidden="true" />
      <h2 className="d24" ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {text ? <p className="m">{text}</p> : null}
      {children ? <div className="row wrapx">{children}</div> : null}
    </section>
  );
}
