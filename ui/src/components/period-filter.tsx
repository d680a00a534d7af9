import { CalendarDays } from 'lucide-react';
import { type SyntheticEvent, useRef, useState } from 'react';
import { FormField } from '@/components/form-field';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { Toggle } from '@/components/ui/toggle';
import { ToggleGroup } from '@/components/ui/toggle-group';
import { useTexts } from '@/i18n';
import { period as catalogue } from '@/i18n/en/components';
import { today } from '@/lib/period';
import { type Period, SPANS } from '@/lib/period-search';

type Props = {
  /** Names the group for screen readers; "Days" by default. */
  label?: string;
  period: Period;
  onPeriod: (period: Period) => void;
};

/** The fields of a custom range. An invalid date is refused at its field. */
function OwnRange({ period, onPeriod }: Omit<Props, 'label'>) {
  const t = useTexts(catalogue);
  const [from, setFrom] = useState(period.from ?? '');
  const [to, setTo] = useState(period.to ?? '');
  const [wrong, setWrong] = useState<'empty' | 'order'>();
  const first = useRef<HTMLInputElement>(null);
  const last = useRef<HTMLInputElement>(null);
  const refuse = (why: 'empty' | 'order') => {
    setWrong(why);
    (why === 'empty' ? first : last).current?.focus();
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!from && !to) refuse('empty');
    else if (from && to && to < from) refuse('order');
    else {
      setWrong(undefined);
      onPeriod({ ...(from ? { from } : {}), ...(to ? { to } : {}) });
    }
  };
  return (
    <form
      className="grid grid-cols-2 items-start gap-3 md:grid-cols-[180px_180px_auto] md:justify-start"
      aria-label={t('custom')}
      noValidate
      onSubmit={submit}
    >
      <FormField label={t('first')} error={wrong === 'empty' ? t('empty') : undefined} live>
        {(control) => (
          <Input
            ref={first}
            type="date"
            max={today()}
            value={from}
            onChange={({ target }) => setFrom(target.value)}
            {...control}
          />
        )}
      </FormField>
      <FormField label={t('last')} error={wrong === 'order' ? t('order') : undefined} live>
        {(control) => (
          <Input ref={last} type="date" max={today()} value={to} onChange={({ target }) => setTo(target.value)} {...control} />
        )}
      </FormField>
      <Button type="submit" variant="outline" className="col-span-full md:col-auto md:mt-7">
        {t('show')}
      </Button>
    </form>
  );
}

/**
 * Chooses a period: lifetime, the last 7, 15 or 30 days, or a custom range. The choice belongs in
 * the address; the range's fields are open if the address has one, or on request.
 */
export function PeriodFilter({ label, period, onPeriod }: Props) {
  const t = useTexts(catalogue);
  const { days, from, to } = period;
  const own = from !== undefined || to !== undefined;
  const address = `${days ?? ''} ${from ?? ''} ${to ?? ''}`;
  const [open, setOpen] = useState(own);
  const [shown, setShown] = useState(address);
  if (shown !== address) {
    // Resets on another address, Back included.
    setShown(address);
    setOpen(own);
  }
  const choose = (chosen: Period) => () => {
    setOpen(false);
    onPeriod(chosen);
  };
  return (
    <div className="grid min-w-0 gap-3">
      {/* Wraps, so that all choices are visible on a phone. */}
      <ToggleGroup className="flex-wrap" aria-label={label ?? t('title')}>
        <Toggle pressed={days === undefined && !own} onClick={choose({})}>
          {t('lifetime')}
        </Toggle>
        {SPANS.map((span) => (
          <Toggle key={span} pressed={days === span} onClick={choose({ days: span })}>
            {t('days', { count: span })}
          </Toggle>
        ))}
        <Toggle pressed={own} aria-expanded={open} onClick={() => setOpen(!open)}>
          <CalendarDays className="size-4" aria-hidden="true" />
          {t('custom')}
        </Toggle>
      </ToggleGroup>
      {open ? <OwnRange key={address} period={period} onPeriod={onPeriod} /> : null}
    </div>
  );
}
