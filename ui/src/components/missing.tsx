import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyStrip } from './khata/strip';
import { Page } from './page';

type Props = {
  /** Of the window; `title` if it is left out. */
  page?: string;
  title: string;
  text: string;
  /** The link to where the reader can go on. */
  children: ReactNode;
};

/** The page for an address without content: an empty ledger line, what is missing, and a link. */
export function Missing({ title, page = title, text, children }: Props) {
  return (
    <Page title={page} className="standin">
      <div className="standin__in">
        <EmptyStrip />
        <h1 className="d32">{title}</h1>
        <p className="m">{text}</p>
        <Button asChild>{children}</Button>
      </div>
    </Page>
  );
}
