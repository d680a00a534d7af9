import type { DepositWait } from '@/api/contract';
import { useTexts } from '@/i18n';
import { depositFollow } from '@/i18n/en/deposit-follow';
import { localDigits } from '@/lib/money';
import { formatTime } from '@/lib/time';

const STEP = 5;
const LONG = 90;

/** The usual time, rounded up to five minutes, and from 90 minutes on to hours. */
function useUsualText() {
  const t = useTexts(depositFollow);
  return (minutes: number) =>
    minutes > LONG
      ? t('usual.hours', { count: Math.ceil(minutes / 60) })
      : t('usual.minutes', { count: Math.max(STEP, Math.ceil(minutes / STEP) * STEP) });
}

export function WaitWords({ wait }: { wait: DepositWait }) {
  const t = useTexts(depositFollow);
  const usual = useUsualText();
  const { usualMinutes, from, to, open, nextOpenAt } = wait;
  return (
    <>
      {usualMinutes === null ? null : <p className="font-semibold">{usual(usualMinutes)}</p>}
      <p className="text-muted-foreground">
        {from === '00:00' && to === '24:00' ? t('anyHour') : t('hours', { from: localDigits(from), to: localDigits(to) })}
      </p>
      {open || nextOpenAt === null ? null : <p>{t('closed', { when: formatTime(nextOpenAt, 'moment') })}</p>}
    </>
  );
}
