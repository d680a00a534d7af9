import { useNavigate } from '@tanstack/react-router';
import { Calendar } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { useTexts } from '@/i18n';
import { dashboard } from '@/i18n/en/dashboard';
import { dhakaDay, serverNow } from '@/lib/time';
import { type Period, SPANS } from './period';

function CustomRange({ period, onChoose }: { period: Period; onChoose: (period: Period) => void }) {
  const t = useTexts(dashboard);
  const [from, setFrom] = useState(period.from ?? '');
  const [to, setTo] = useState(period.to ?? '');
  const [wrong, setWrong] = useState(false);
  const today = dhakaDay(serverNow());
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const backwards = from !== '' && to !== '' && to < from;
    setWrong(backwards);
    if (!backwards) onChoose({ ...(from ? { from } : {}), ...(to ? { to } : {}) });
  };
  return (
    <form className="drange" aria-label={t('period.custom')} onSubmit={submit} noValidate>
      <Field label={t('period.from')}>
        {(control) => (
          <Input type="date" max={today} value={from} onChange={({ target }) => setFrom(target.value)} {...control} />
        )}
      </Field>
      <Field label={t('period.to')} error={wrong ? t('period.backwards') : undefined}>
        {(control) => <Input type="date" max={today} value={to} onChange={({ target }) => setTo(target.value)} {...control} />}
      </Field>
      <Button type="submit" variant="line">
        {t('period.show')}
      </Button>
    </form>
  );
}

/** Chooses the period of scores and reviews (SPEC §2). The choice is in the address: it can be kept, sent and gone back to. */
export function PeriodFilter({ period }: { period: Period }) {
  const t = useTexts(dashboard);
  const navigate = useNavigate();
  const own = period.from !== undefined || period.to !== undefined;
  const [open, setOpen] = useState(own);
  const choose = (chosen: Period) => {
    setOpen(chosen.from !== undefined || chosen.to !== undefined);
    void navigate({ to: '/dashboard', search: chosen });
  };
  const chip = (pressed: boolean) => ({ type: 'button' as const, className: 'chip', 'aria-pressed': pressed });
  return (
    <div className="dperiod">
      <div className="chips" role="group" aria-label={t('period')}>
        <button {...chip(period.days === undefined && !own)} onClick={() => choose({})}>
          {t('period.lifetime')}
        </button>
        {SPANS.map((days) => (
          <button key={days} {...chip(period.days === days)} onClick={() => choose({ days })}>
            {t('period.days', { count: days })}
          </button>
        ))}
        <button {...chip(own)} aria-expanded={open} onClick={() => setOpen(!open)}>
          <Calendar className="i16" aria-hidden="true" />
          {t('period.custom')}
        </button>
      </div>
      {open ? <CustomRange key={`${period.from}${period.to}`} period={period} onChoose={choose} /> : null}
    </div>
  );
}
