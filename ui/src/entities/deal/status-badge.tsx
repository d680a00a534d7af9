import {
  AlarmClock,
  CircleCheckBig,
  CirclePlay,
  CircleSlash,
  Hourglass,
  type LucideIcon,
  PackageCheck,
  Undo2,
  UserX,
} from 'lucide-react';
import type { DealStatus } from '@/api/contract';
import { Badge, type BadgeVariant } from '@/components/ui/badge';
import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';

const DEALS: Record<DealStatus, [BadgeVariant, LucideIcon]> = {
  Pending: ['pending', Hourglass],
  Active: ['active', CirclePlay],
  Late: ['late', AlarmClock],
  Delivered: ['delivered', PackageCheck],
  Completed: ['completed', CircleCheckBig],
  Cancelled: ['cancelled', CircleSlash],
  'Cancelled by Buyer': ['cancelled', Undo2],
  'Cancelled by Seller': ['cancelled', UserX],
};

export function StatusBadge({ status }: { status: DealStatus }) {
  const t = useTexts(khata);
  const [variant, Icon] = DEALS[status];
  return (
    <Badge variant={variant}>
      <Icon aria-hidden="true" />
      {t(`status.${status}`)}
    </Badge>
  );
}
