import type { ReactNode } from 'react';
import { type Translate, useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { count } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { formatTime, type Remaining, remaining } from '@/lib/time';

/** The countdown in the specification's words (docs/rules.md#texts). */
export function dueText(t: Translate<typeof khata>, left: Remaining): string {
  return left.past ? t('due.now') : t('due.in', { days: left.days, hours: left.hours, minutes: left.minutes });
}

/** "Due in 3 days 4 hours 12 minutes" for lists, or why it is unknown. */
export function DueText({ dueAt, deliveryDuration }: { dueAt: string; deliveryDuration: number }) {
  const t = useTexts(khata);
  const now = useNow();
  const until = Date.parse(dueAt);
  if (Number.isNaN(until)) return t('due.invalidTime');
  if (!(deliveryDuration > 0)) return t('due.invalidDuration');
  return <time dateTime={dueAt}>{dueText(t, remaining(until, now))}</time>;
}

type ClockProps = {
  until: string;
  /** The event at zero: "Pays Tanvir by itself in". */
  label: ReactNode;
  /** Replaces the figures afterwards; "Due Now" by default. */
  past?: ReactNode;
  /** One line, for a time that is not the reader's. */
  small?: boolean;
};

/** Days, hours and minutes in large figures, with label and date. Not announced. */
export function Countdown({ until, label, past, small = false }: ClockProps) {
  const t = useTexts(khata);
  const now = useNow();
  const moment = Date.parse(until);
  if (Number.isNaN(moment)) return <p className="text-muted-foreground">{t('due.invalidTime')}</p>;
  const left = remaining(moment, now);
  const units = [
    [left.days, 'unit.days'],
    [left.hours, 'unit.hours'],
    [left.minutes, 'unit.minutes'],
  ] as const;
  const date = (
    <time className="text-sm text-muted-foreground" dateTime={until}>
      {formatTime(until, 'long')}
    </time>
  );
  if (small) {
    const figures = units.map(([value, unit]) => `${count(value)} ${t(unit, { count: value })}`).join(' ');
    return (
      <div className="mt-2 grid" data-slot="clock">
        <p>
          <span className="text-muted-foreground">{label}</span>{' '}
          {left.past ? <b className="font-semibold">{past ?? t('due.now')}</b> : <span role="timer">{figures}</span>}
        </p>
        {date}
      </div>
    );
  }
  return (
    <div className="mt-2 grid gap-1.5" data-slot="clock">
      <p className="text-muted-foreground">{label}</p>
      {left.past ? (
        <p className="font-display text-display-sm">{past ?? t('due.now')}</p>
      ) : (
        <div className="flex items-end gap-3.5" role="timer" aria-label={dueText(t, left)}>
          {units.map(([value, unit]) => (
            <div key={unit} className="grid gap-0.5">
              <b className="font-display text-[40px] leading-none font-semibold tracking-money lining-nums [:lang(bn)_&]:leading-[1.15]">
                {count(value)}
              </b>
              <span className="text-caption text-muted-foreground">{t(unit, { count: value })}</span>
            </div>
          ))}
        </div>
      )}
      {date}
    </div>
  );
}
