import { CircleCheckBig, CircleSlash, Clock, Hourglass, type LucideIcon, Undo2 } from 'lucide-react';
import type { Correction } from '@/api/contract';
import { Badge, type BadgeVariant } from '@/components/ui/badge';
import { useTexts } from '@/i18n';
import { adminCorrections } from '@/i18n/en/admin';
import { type Cents, centsFromWire, usd } from '@/lib/money';

const LOOKS: Record<Correction['status'], [BadgeVariant, LucideIcon]> = {
  open: ['pending', Hourglass],
  confirmed: ['completed', CircleCheckBig],
  rejected: ['cancelled', CircleSlash],
  withdrawn: ['cancelled', Undo2],
  expired: ['cancelled', Clock],
};

export function CorrectionBadge({ status }: { status: Correction['status'] }) {
  const t = useTexts(adminCorrections);
  const [variant, Icon] = LOOKS[status];
  return (
    <Badge variant={variant}>
      <Icon aria-hidden="true" />
      {t(`tab.${status}`)}
    </Badge>
  );
}

/** The signed amount, as it changes the balance. */
export const movedCents = ({ direction, amount }: Pick<Correction, 'direction' | 'amount'>): Cents =>
  direction === 'debit' ? -centsFromWire(amount) : centsFromWire(amount);

export const signedUsd = (cents: Cents): string => `${cents < 0 ? '−' : '+'} ${usd(Math.abs(cents))}`;
