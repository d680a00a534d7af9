import type { Deal } from '@/api/contract';
import type { Translate } from '@/i18n';
import type { admin } from '@/i18n/en/admin';
import { formatTime } from '@/lib/time';

export function nextActionOf(t: Translate<typeof admin>, deal: Deal): { what: string; when: string | null } {
  if (deal.closedAt !== null) {
    return { what: deal.closeReason ? t(`closed.${deal.closeReason}`) : t('closed'), when: formatTime(deal.closedAt, 'moment') };
  }
  if (deal.suspended) return { what: t('mark.suspended'), when: null };
  if (deal.escalated) return { what: t('mark.escalated'), when: null };
  if (deal.frozen) return { what: t('mark.frozen'), when: null };
  if (deal.nextAction === null) return { what: t('next.none'), when: null };
  return {
    what: t(`next.${deal.nextAction}`),
    when: deal.nextActionAt === null ? null : formatTime(deal.nextActionAt, 'moment'),
  };
}
