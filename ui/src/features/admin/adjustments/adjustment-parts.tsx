import { CircleCheckBig, CircleSlash, Clock, Hourglass, type LucideIcon, Undo2 } from 'lucide-react';
import type { Adjustment } from '@/api/contract';
import { Badge, type BadgeVariant } from '@/components/ui/badge';
import { useTexts } from '@/i18n';
import { adminAdjustments } from '@/i18n/en/admin-adjustments';
import { type Cents, centsFromWire, usd } from '@/lib/money';

const LOOKS: Record<Adjustment['status'], [BadgeVariant, LucideIcon]> = {
  open: ['pending', Hourglass],
  confirmed: ['completed', CircleCheckBig],
  rejected: ['cancelled', CircleSlash],
  withdrawn: ['cancelled', Undo2],
  expired: ['cancelled', Clock],
};

export function AdjustmentBadge({ status }: { status: Adjustment['status'] }) {
  const t = useTexts(adminAdjustments);
  const [variant, Icon] = LOOKS[status];
  return (
    <Badge variant={variant}>
      <Icon aria-hidden="true" />
      {t(`tab.${status}`)}
    </Badge>
  );
}

/** The signed amount, as it changes the balance. */
export const movedCents = ({ direction, amount }: Pick<Adjustment, 'direction' | 'amount'>): Cents =>
  direction === 'debit' ? -centsFromWire(amount) : centsFromWire(amount);

export const signedUsd = (cents: Cents): string => `${cents < 0 ? '−' : '+'} ${usd(Math.abs(cents))}`;
