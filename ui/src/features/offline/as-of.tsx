import { useTexts } from '@/i18n';
import { offline } from '@/i18n/en/offline';
import { formatTime } from '@/lib/time';

export function AsOf({ at }: { at: number }) {
  const t = useTexts(offline);
  return (
    <time className="text-sm text-muted-foreground" dateTime={new Date(at).toISOString()}>
      {t('asOf', { when: formatTime(at, 'moment') })}
    </time>
  );
}
