import { Link } from '@tanstack/react-router';
import { CircleDashed } from 'lucide-react';
import type { WalletLimits } from '@/api/contract';
import { currentLanguage, type Translate, useTexts } from '@/i18n';
import { limits as catalogue } from '@/i18n/en/limits';
import { centsFromWire, usd } from '@/lib/money';

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

const LIMITS = ['perDeal', 'paid', 'withdrawn'] as const;

function goalText(t: Translate<typeof catalogue>, next: Next): string {
  const limited = LIMITS.flatMap((kind) => {
    const limit = next[kind];
    return limit === null ? [] : [t(`raise.${kind}`, { sum: usd(centsFromWire(limit)) })];
  });
  if (limited.length === 0) return t('raiseAll');
  const list = new Intl.ListFormat(currentLanguage() === 'bn' ? 'bn-BD' : 'en-GB').format(limited);
  return t(limited.length === LIMITS.length ? 'raiseTo' : 'raiseToOnly', { list });
}

export function Raise({ next }: { next: Next }) {
  const t = useTexts(catalogue);
  const { needs } = next;
  return (
    <div className="mt-6">
      <h3 className="font-semibold">{t('raise')}</h3>
      <p className="text-sm text-muted-foreground">{goalText(t, next)}</p>
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
