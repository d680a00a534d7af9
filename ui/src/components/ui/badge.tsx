import { cva, type VariantProps } from 'class-variance-authority';
import type { ReactNode } from 'react';

const badge = cva('badge', {
  variants: {
    tone: {
      pending: 'badge--pending',
      active: 'badge--active',
      late: 'badge--late',
      delivered: 'badge--delivered',
      completed: 'badge--completed',
      cancelled: 'badge--cancelled',
      failed: 'badge--failed',
    },
  },
});

export type BadgeTone = NonNullable<VariantProps<typeof badge>['tone']>;

/** Icon, word and tint: never the colour alone. */
export function Badge({ tone, icon, children }: { tone: BadgeTone; icon: ReactNode; children: ReactNode }) {
  return (
    <span data-slot="badge" className={badge({ tone })}>
      {icon}
      {children}
    </span>
  );
}
