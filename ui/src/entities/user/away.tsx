import type { Party } from '@/api/contract';
import { Badge } from '@/components/ui/badge';
import { useTexts } from '@/i18n';
import { away } from '@/i18n/en/away';
import { serverNow } from '@/lib/server-clock';
import { dhakaDay, formatTime } from '@/lib/time';

type Person = Pick<Party, 'awayUntil'>;

/** "Away until 3 Dec", null once the day has passed. */
export function useAway({ awayUntil }: Person): string | null {
  const t = useTexts(away);
  return awayUntil && awayUntil >= dhakaDay(serverNow()) ? t('until', { day: formatTime(awayUntil, 'day') }) : null;
}

export function AwayBadge({ user }: { user: Person }) {
  const text = useAway(user);
  return text ? (
    <Badge variant="pending" className="mt-2">
      {text}
    </Badge>
  ) : null;
}
