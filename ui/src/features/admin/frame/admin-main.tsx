import type { ComponentProps } from 'react';
import { Page } from '@/components/page';
import { cn } from '@/lib/cn';

/** The main part of an admin page. On a wide window it scrolls beside sidebar and drawer. */
export function AdminMain({ className, ...props }: Omit<ComponentProps<typeof Page>, 'bare'>) {
  return <Page bare className={cn('min-w-0 px-gutter pt-5 pb-8 wide:overflow-auto wide:px-5', className)} {...props} />;
}
