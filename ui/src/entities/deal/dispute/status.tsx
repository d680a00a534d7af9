import { CircleCheckBig, CircleSlash, Gavel, type LucideIcon, Scale } from 'lucide-react';
import type { DisputeStatus } from '@/api/contract';
import { Badge, type BadgeVariant } from '@/components/ui/badge';
import { useTexts } from '@/i18n';
import { disputeRoom } from '@/i18n/en/dispute-room';

const LOOKS: Record<DisputeStatus, [BadgeVariant, LucideIcon]> = {
  open: ['pending', Scale],
  decided: ['active', Gavel],
  appealed: ['late', Scale],
  settled: ['completed', CircleCheckBig],
  closed: ['cancelled', CircleSlash],
};

export function DisputeBadge({ status }: { status: DisputeStatus }) {
  const t = useTexts(disputeRoom);
  const [variant, Icon] = LOOKS[status];
  return (
    <Badge variant={variant}>
      <Icon aria-hidden="true" />
      {t(`status.${status}`)}
    </Badge>
  );
}
