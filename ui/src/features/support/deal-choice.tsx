import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { Deal } from '@/api/contract';
import { EmptyState } from '@/components/empty-state';
import { EmptyStrip } from '@/components/empty-strip';
import { LoadFailed } from '@/components/load-failed';
import { Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { dealListQuery } from '@/entities/deal/latest-query';
import { StatusBadge } from '@/entities/deal/status-badge';
import { useDealTitle } from '@/entities/deal/use-deal-title';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { support } from '@/i18n/en/support';

/** As many as need no search. */
const SHOWN = 20;

function Choice({ deal }: { deal: Deal }) {
  const t = useTexts(support);
  const me = useMe()._id;
  const other = deal.buyer._id === me ? deal.seller : deal.buyer;
  const title = useDealTitle()(deal);
  return (
    <li>
      <Link
        to="/support"
        search={{ dealId: deal._id }}
        state={{ deal: { _id: deal._id, title } }}
        className="flex min-h-16 items-center gap-3 border-b py-3 wrap-anywhere no-underline hover:bg-muted hover:text-inherit"
      >
        <span className="min-w-0 flex-1">
          <b className="font-semibold">{title || t('deal')}</b>
          <small className="block text-sm text-muted-foreground">{t('with', { name: other.username })}</small>
        </span>
        <StatusBadge status={deal.status} />
        <ChevronRight className="size-4" aria-hidden="true" />
      </Link>
    </li>
  );
}

export function DealChoice() {
  const t = useTexts(support);
  const { data, error, isFetching, refetch } = useQuery(dealListQuery);
  const deals = data?.rows;
  const toDeals = (
    <Button variant="outline" asChild>
      <Link to="/deal">{t('toDeals')}</Link>
    </Button>
  );
  if (deals?.length === 0) {
    return (
      <div className="mt-8">
        <EmptyState picture={<EmptyStrip />} title={t('none')} text={t('noneText')}>
          {toDeals}
        </EmptyState>
      </div>
    );
  }
  return (
    <Section title={t('none')} className="mt-8 max-w-200">
      {deals === undefined && error ? (
        <LoadFailed error={error} busy={isFetching} onRetry={() => void refetch()} />
      ) : deals === undefined ? (
        <Skeleton className="h-48" />
      ) : (
        <ul>
          {deals.slice(0, SHOWN).map((deal) => (
            <Choice key={deal._id} deal={deal} />
          ))}
        </ul>
      )}
      {data && data.total > SHOWN ? toDeals : null}
    </Section>
  );
}
