import { Tabs as Primitive } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from '@/lib/cn';

/** Tabs inside a page. Where the tab is part of the address use links in `<nav className="tabs">` instead. */
export const Tabs = Primitive.Root;

export function TabsList({ className, ...props }: ComponentProps<typeof Primitive.List>) {
  return <Primitive.List data-slot="tabs" className={cn('tabs', className)} {...props} />;
}

export function TabsTrigger({ count, children, ...props }: ComponentProps<typeof Primitive.Trigger> & { count?: ReactNode }) {
  return (
    <Primitive.Trigger data-slot="tab" {...props}>
      {children}
      {count === undefined ? null : <span className="count">{count}</span>}
    </Primitive.Trigger>
  );
}

export const TabsContent = Primitive.Content;
