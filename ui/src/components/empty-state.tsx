import type { ReactNode } from 'react';
import { Empty, EmptyContent, EmptyDescription, EmptyHeader, EmptyMedia, EmptyTitle } from '@/components/ui/empty';

type Props = {
  title: ReactNode;
  text?: ReactNode;
  children?: ReactNode;
  /** Replaces the empty strip. */
  picture?: ReactNode;
  className?: string;
};

export function EmptyState({ title, text, picture, children, className }: Props) {
  return (
    <Empty className={className}>
      {picture ? <EmptyMedia className="*:h-14 *:border-t-0 [[data-slot=section]>*>&]:*:border-t">{picture}</EmptyMedia> : null}
      <EmptyHeader>
        <EmptyTitle>{title}</EmptyTitle>
        {text ? <EmptyDescription>{text}</EmptyDescription> : null}
      </EmptyHeader>
      {children ? <EmptyContent>{children}</EmptyContent> : null}
    </Empty>
  );
}
