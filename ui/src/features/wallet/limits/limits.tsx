import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { CircleDashed } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { WalletLimits } from '@/api/contract';
import { MONEY } from '@/components/classes';
import { Fold } from '@/components/fold';
import { limitsQuery } from '@/entities/wallet/limits';
import { type Translate, useTexts } from '@/i18n';
import { limits as catalogue } from '@/i18n/en/balance';
import { centsFromWire, usd, usdShort } from '@/lib/money';

type Next = NonNullable<WalletLimits['next']>;
type Need = Next['needs'][number];

/** Links to the page of a missing step; some only take time. */
function Way({ kind }: { kind: Need['kind'] }) {
  const t = useTexts(catalogue);
  if (kind === 'completed_deals') return <Link to="/deal">{t('do.completed_deals')}</Link>;
  if (kind === 'partners') return <Link to="/explore">{t('do.partners')}</Link>;
  return kind === 'second_factor' ? <Link to="/security">{t('do.second_factor')}</Link> : null;
}

function needText(t: Translate<typeof catalogue>, { kind, have, need }: Need): string {
  if (kind === 'second_factor') return t('need.second_factor');
  return t(`need.${kind}`, { count: need - have });
}

function Raise({ next }: { next: Next }) {
  const t = useTexts(catalogue);
  const { perDeal, needs } = next;
  return (
    <div className="mt-6">
      <h3 className="font-semibold">
        {perDeal === null ? t('raiseAll') : t('raiseTo', { sum: usdShort(centsFromWire(perDeal)) })}
      </h3>
      <ul className="mt-2 max-w-160">
        {needs.map((need) => (
          <li key={need.kind} className="flex min-h-11 items-start gap-3 border-b py-2.5">
            <CircleDashed className="mt-0.5 flex-none text-muted-foreground" aria-hidden="true" />
            <span className="flex flex-1 flex-wrap justify-between gap-x-4">
              {needText(t, need)} <Way kind={need.kind} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

type FigureProps = { label: string; limit: number | null; used?: number };

function Figure({ label, limit, used }: FigureProps) {
  const t = useTexts(catalogue);
  const most = limit === null ? 0 : centsFromWire(limit);
  const spent = centsFromWire(used ?? 0);
  const left = usd(Math.max(0, most - spent));
  return (
    <div className="border-t border-border-strong pt-2">
      <dt className="text-sm/[1.35] text-muted-foreground">{label}</dt>
      <dd>
        <p className={`${MONEY} mt-1 text-[24px]`}>
          {limit === null ? t('none') : used === undefined ? t('upTo', { sum: usd(most) }) : t('left', { sum: left })}
        </p>
        {limit === null || used === undefined ? null : (
          <>
            <div className="mt-2 h-1.5 bg-secondary" aria-hidden="true">
              <div className="h-full bg-foreground" style={{ width: `${Math.min(100, (100 * spent) / most)}%` }} />
            </div>
            <p className="mt-1 text-sm text-muted-foreground tabular-nums">{t('used', { used: usd(spent), limit: usd(most) })}</p>
          </>
        )}
      </dd>
    </div>
  );
}

const isLimited = ({ perDeal, paid, withdrawn }: WalletLimits): boolean =>
  [perDeal, paid.limit, withdrawn.limit].some((limit) => limit !== null);

/** Scrolls a link's target into view, because it loads after the page. */
function useScrollIntoView() {
  const place = useRef<HTMLDivElement>(null);
  const wanted = useLocation().hash === 'limits';
  useEffect(() => {
    if (wanted) place.current?.scrollIntoView({ block: 'start' });
  }, [wanted]);
  return { place, wanted };
}

function Shown({ limits }: { limits: WalletLimits }) {
  const t = useTexts(catalogue);
  const { place, wanted } = useScrollIntoView();
  const { perDeal, paid, withdrawn, next } = limits;
  return (
    <div ref={place} id="limits" className="scroll-mt-4">
      <Fold key={String(wanted)} title={t('title')} open={wanted} late>
        <p className="mb-4 max-w-measure text-sm text-muted-foreground">{t('text')}</p>
        <dl className="grid gap-x-3 gap-y-5 sm:grid-cols-3">
          <Figure label={t('perDeal')} limit={perDeal} />
          <Figure label={t('paid')} {...paid} />
          <Figure label={t('withdrawn')} {...withdrawn} />
        </dl>
        {next ? <Raise next={next} /> : null}
      </Fold>
    </div>
  );
}

/** A row of /balance; nothing for an account without limits. */
export function Limits() {
  const { data } = useQuery(limitsQuery);
  return data && isLimited(data) ? <Shown limits={data} /> : null;
}
