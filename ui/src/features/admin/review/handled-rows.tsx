import type { Party } from '@/api/contract';
import { Facts } from '@/components/section';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { formatTime } from '@/lib/time';

type Handled = { handledAt: string | null; handledBy: Party | null; reason?: string | null };

export function HandledRows({ row, more = [] }: { row: Handled; more?: readonly (readonly [string, string])[] }) {
  const t = useTexts(admin);
  const when = row.handledAt ? formatTime(row.handledAt, 'moment') : '';
  const handled = row.handledBy ? t('handledBy', { when, name: row.handledBy.username }) : when;
  return <Facts rows={[[t('handled'), handled], ...more, ...(row.reason ? [[t('reasonGiven'), row.reason] as const] : [])]} />;
}
