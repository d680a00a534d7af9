import { Ban, Check, EyeOff, type LucideIcon, MessageCircleWarning, TimerOff } from 'lucide-react';
import type { AdminCase } from '@/api/contract';
import { Badge, type BadgeVariant } from '@/components/ui/badge';
import { useTexts } from '@/i18n';
import { adminReports } from '@/i18n/en/admin';

const LOOKS: Record<Exclude<AdminCase['action'], ''>, { variant: BadgeVariant; icon: LucideIcon }> = {
  dismiss: { variant: 'cancelled', icon: Check },
  warn: { variant: 'pending', icon: MessageCircleWarning },
  hide: { variant: 'delivered', icon: EyeOff },
  suspend: { variant: 'late', icon: TimerOff },
  ban: { variant: 'failed', icon: Ban },
};

export function CaseBadge({ action }: { action: keyof typeof LOOKS }) {
  const t = useTexts(adminReports);
  const { variant, icon: Icon } = LOOKS[action];
  return (
    <Badge variant={variant}>
      <Icon aria-hidden="true" />
      {t(`done.${action}`)}
    </Badge>
  );
}
