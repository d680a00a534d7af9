import type { ReactNode } from 'react';

type Props = {
  title: ReactNode;
  text?: ReactNode;
  /** What to do next. */
  children?: ReactNode;
  /** The empty ledger line above the words. */
  picture?: ReactNode;
};

/** Nothing here yet: says so, and what to do first. Without a matra of its own when it lies in a Section. */
export function Empty({ title, text, picture, children }: Props) {
  return (
    <div data-slot="empty" className="empty">
      {picture}
      <p className="d20">{title}</p>
      {text ? <p className="m t14">{text}</p> : null}
      {children}
    </div>
  );
}
