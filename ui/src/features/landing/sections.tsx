import type { ComponentProps, ReactNode } from 'react';
import { CONTAINER } from '@/components/classes';
import { cn } from '@/lib/cn';

export const EXAMPLE = { price: 48_000, fee: 960, payout: 47_040 } as const;

export function LandingSection({ className, ...props }: ComponentProps<'section'>) {
  return <section className={cn(CONTAINER, 'pt-16 md:pt-28', className)} {...props} />;
}

export function SectionTitle({ children }: { children: ReactNode }) {
  return <h2 className="font-display text-display-lg">{children}</h2>;
}

export function SectionHead({ title, lede }: { title: string; lede?: string }) {
  return (
    <div className="mb-8 grid gap-3 md:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)] md:items-end md:gap-12">
      <SectionTitle>{title}</SectionTitle>
      {lede && <p className="text-lede text-muted-foreground">{lede}</p>}
    </div>
  );
}
