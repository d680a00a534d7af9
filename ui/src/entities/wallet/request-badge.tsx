import { Check, Hourglass, type LucideIcon, X } from 'lucide-react';
import type { DepositStatus, WithdrawalStatus } from '@/api/contract';
import { Badge, type BadgeVariant } from '@/components/ui/badge';
import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';

const REQUESTS: Record<Lowercase<DepositStatus | WithdrawalStatus>, [BadgeVariant, LucideIcon]> = {
  pending: ['pending', Hourglass],
  completed: ['completed', Check],
  failed: ['failed', X],
};

/** The status of a deposit or withdrawal. Its case varies on the wire. */
export function RequestBadge({ status }: { status: DepositStatus | WithdrawalStatus }) {
  const t = useTexts(khata);
  const known = status.toLowerCase() as keyof typeof REQUESTS;
  const [variant, Icon] = REQUESTS[known];
  return (
    <Badge variant={variant}>
      <Icon aria-hidden="true" />
      {t(`request.${known}`)}
    </Badge>
  );
}
