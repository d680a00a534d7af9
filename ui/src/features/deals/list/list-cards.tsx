import { Link } from '@tanstack/react-router';
import type { Deal } from '@/api/contract';
import { HOLDERS, holderOf, wasRefunded } from '@/entities/deal/khata/holder';
import { Strip } from '@/entities/deal/khata/strip';
import { heldSum } from '@/entities/deal/rules';
import { StatusBadge } from '@/entities/deal/status-badge';
import { useDealLine } from '@/entities/deal/use-deal-line';
import { useDealTitle } from '@/entities/deal/use-deal-title';
import { UserName } from '@/entities/user/user-name';
import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { usd } from '@/lib/money';
import { DealFlags } from '../deal-flags';
import { useRelation } from '../use-relation';
import { DealCountdown, DealDate } from './deal-dates';
import type { Tab } from './tabs';

function Card({ deal, tab }: { deal: Deal; tab: Tab }) {
  const titleOf = useDealTitle();
  const line = useDealLine()(deal);
  const relation = useRelation()(deal);
  return (
    <li className="border-b">
      <Link
        to="/deal/$dealId"
        params={{ dealId: deal._id }}
        className="grid gap-0.5 py-4 leading-[1.4] no-underline *:min-w-0 hover:text-inherit"
      >
        <b className="font-semibold">{titleOf(deal)}</b>
        <span className="truncate text-sm/[1.4] text-muted-foreground">
          <UserName user={line.other} /> {relation}
        </span>
        <span className="mt-2 mb-2.5 grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-0.5 text-sm/[1.4]">
          {tab === 'cancelled' ? (
            <StatusBadge status={deal.status} />
          ) : (
            <span className={line.own ? 'font-semibold' : 'text-muted-foreground'}>{line.text}</span>
          )}
          <DealFlags deal={deal} className="order-1 col-span-full mt-1" />
          <span className="whitespace-nowrap text-muted-foreground lining-nums tabular-nums">
            <DealDate deal={deal} />
          </span>
          <span className="col-span-full text-muted-foreground lining-nums tabular-nums empty:hidden">
            <DealCountdown deal={deal} />
          </span>
        </span>
        <Strip holder={holderOf(deal.status)} returned={wasRefunded(deal)}>
          {usd(heldSum(deal))}
        </Strip>
      </Link>
    </li>
  );
}

export function DealCards({ deals, tab }: { deals: readonly Deal[]; tab: Tab }) {
  const t = useTexts(khata);
  return (
    <div className="wrap-anywhere [&_:lang(bn)]:leading-[1.6]">
      <p
        className="sticky top-0 z-2 grid grid-cols-[1fr_1.2fr_1fr] border-b bg-background py-1.5 text-center text-caption text-muted-foreground"
        aria-hidden="true"
      >
        {HOLDERS.map((holder) => (
          <span key={holder}>{t(holder)}</span>
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
