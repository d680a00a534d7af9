import { CalendarDays } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { useTexts } from '@/i18n';
import { adminRange } from '@/i18n/en/admin-range';
import { lastDays, PRESETS, presetOf, today } from './range';
import { isOrdered, type Range } from './range-search';
import './range.css';

type Props = { range: Range; onRange: (range: Range) => void };

function CustomRange({ range, onRange }: Props) {
  const t = useTexts(adminRange);
  const [startDate, setStart] = useState(range.startDate ?? '');
  const [endDate, setEnd] = useState(range.endDate ?? '');
  const [wrong, setWrong] = useState<string>();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const wanted: Range = { ...(startDate ? { startDate } : {}), ...(endDate ? { endDate } : {}) };
    if (!startDate && !endDate) setWrong(t('empty'));
    else if (!isOrdered(wanted)) setWrong(t('order'));
    else {
      setWrong(undefined);
      onRange(wanted);
    }
  };
  return (
    <form className="rangeform" noValidate onSubmit={submit}>
      <Field label={t('first')} error={wrong}>
        {(control) => (
          <Input type="date" max={today()} value={startDate} onChange={({ target }) => setStart(target.value)} {...control} />
        )}
      </Field>
      <Field label={t('last')}>
        {(control) => (
          <Input type="date" max={today()} value={endDate} onChange={({ target }) => setEnd(target.value)} {...control} />
        )}
      </Field>
      <Button type="submit" variant="line">
        {t('show')}
      </Button>
    </form>
  );
}

/** Chooses the days that are counted: lifetime, the last 7, 15 or 30 days, or a range of one's own (SPEC §9). */
export function RangeFilter({ range, onRange }: Props) {
  const t = useTexts(adminRange);
  const preset = presetOf(range);
  const [asked, setAsked] = useState(false);
  const custom = asked || preset === 'custom';
  const choose = (wanted: Range) => () => {
    setAsked(false);
    onRange(wanted);
  };
  return (
    <div className="range">
      <div className="chips" role="group" aria-label={t('title')}>
        <button type="button" className="chip" aria-pressed={!custom && preset === 'lifetime'} onClick={choose({})}>
          {t('lifetime')}
        </button>
        {PRESETS.map((days) => (
          <button
            key={days}
            type="button"
            className="chip"
            aria-pressed={!custom && preset === days}
            onClick={choose(lastDays(days))}
          >
            {t('days', { count: days })}
          </button>
        ))}
        <button type="button" className="chip" aria-pressed={custom} aria-expanded={custom} onClick={() => setAsked(true)}>
          <CalendarDays className="i16" aria-hidden="true" />
          {t('custom')}
        </button>
      </div>
      {custom ? <CustomRange key={`${range.startDate ?? ''} ${range.endDate ?? ''}`} range={range} onRange={onRange} /> : null}
    </div>
  );
}
