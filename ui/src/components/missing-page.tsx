import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { STAND_IN, STAND_IN_WORDS } from './classes';
import { EmptyStrip } from './empty-strip';
import { Page } from './page';

type Props = {
  /** Of the window; by default `title`. */
  page?: string;
  title: string;
  text: string;
  children: ReactNode;
};

export function MissingPage({ title, page = title, text, children }: Props) {
  return (
    <Page title={page} className={STAND_IN}>
      <div className={STAND_IN_WORDS}>
        <EmptyStrip className="mb-3 border-t" />
        <h1 className="font-display text-display-md">{title}</h1>
        <p className="text-muted-foreground">{text}</p>
        <Button asChild>{children}</Button>
      </div>
    </Page>
  );
}
