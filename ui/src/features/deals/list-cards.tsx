import { Link } from '@tanstack/react-router';
import type { Deal } from '@/api/contract';
import { useDealLine } from '@/components/deal-line';
import { cameBack, type Holder, holderOf } from '@/components/khata/holder';
import { StatusBadge } from '@/components/khata/status-badge';
import { Strip } from '@/components/khata/strip';
import { useTexts } from '@/i18n';
import { deals as catalogue } from '@/i18n/en/deals';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';
import { usd } from '@/lib/money';
import { heldSum, titleOf } from './deal';
import { DealFlags } from './flags';
import { DealCountdown, DealDate } from './list-when';
import { useRelation } from './relation';
import type { Tab } from './tabs';

const HOLDERS: readonly Holder[] = ['buyer', 'amanat', 'seller'];

function Card({ deal, tab }: { deal: Deal; tab: Tab }) {
  const t = useTexts(catalogue);
  const line = useDealLine()(deal);
  const relation = useRelation()(deal);
  return (
    <li>
      <Link to="/deal/$dealId" params={{ dealId: deal._id }}>
        <b className="b">{titleOf(deal.description) || t('untitled')}</b>
        <span className="m t14 clip">
          {line.name} {relation}
        </span>
        <span className="listcards__facts t14">
          {tab === 'cancelled' ? (
            <StatusBadge status={deal.status} />
          ) : (
            <span className={cn(line.own ? 'b' : 'm')}>{line.text}</span>
          )}
          <DealFlags deal={deal} />
          <span className="m num nowrap">
            <DealDate deal={deal} />
          </span>
          <span className="m num listcards__due">
            <DealCountdown deal={deal} />
          </span>
        </span>
        <Strip holder={holderOf(deal.status)} returned={cameBack(deal)}>
          {usd(heldSum(deal))}
        </Strip>
      </Link>
    </li>
  );
}

/** The deals of a tab on a phone: each with its own row of the three columns. */
export function DealCards({ deals, tab }: { deals: readonly Deal[]; tab: Tab }) {
  const k = useTexts(khata);
  return (
    <div className="listcards">
      <p className="listcards__key" aria-hidden="true">
        {HOLDERS.map((holder) => (
          <span key={holder}>{k(holder)}</span>
        ))}
      </p>
      <ul>
        {deals.map((deal) => (
          <Card key={deal._id} deal={deal} tab={tab} />
        ))}
      </ul>
    </div>
  );
}
