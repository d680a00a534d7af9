import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowDownToLine, ArrowRight, ArrowUpFromLine, Flag, Handshake, LifeBuoy, type LucideIcon, Scale } from 'lucide-react';
import { Section } from '@/components/section';
import { Badge } from '@/components/ui/badge';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { admin, adminDashboard } from '@/i18n/en/admin';
import { cn } from '@/lib/cn';
import { count } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { dealsToDecideQuery, openSupportQuery } from '../deals/queries';
import { depositQueueQuery } from '../deposits/queries';
import { waitingDisputesQuery } from '../disputes/queries';
import { ageText, LATE_AFTER } from '../queue/queue-rows';
import { waitingReportsQuery } from '../reports/queries';
import { withdrawalQueueQuery } from '../withdrawals/queries';

type Known = {
  query: { isLoadingError: boolean };
  total: number | undefined;
  oldest: string | undefined;
};

type Queue = Known & {
  icon: LucideIcon;
  name: string;
  to: '/admin/deposit' | '/admin/withdrawal' | '/admin/deals' | '/admin/disputes' | '/admin/support-requests' | '/admin/reports';
  search?: { tab: 'decide' };
};

function Oldest({ query, total, oldest }: Known) {
  const t = useTexts(adminDashboard);
  const tAdmin = useTexts(admin);
  const now = useNow();
  if (total === undefined) {
    return query.isLoadingError ? (
      <span className="text-muted-foreground">{t('unknown')}</span>
    ) : (
      <Skeleton className="h-4.5 w-24" />
    );
  }
  if (total === 0) return <span className="text-muted-foreground">{t('nothing')}</span>;
  if (oldest === undefined) return null;
  const age = now - Date.parse(oldest);
  return (
    <span
      className={cn('lining-nums tabular-nums', age >= LATE_AFTER ? 'font-semibold text-destructive' : 'text-muted-foreground')}
    >
      {t('oldest', { age: ageText(tAdmin, age) })}
    </span>
  );
}

function useQueues(): Queue[] {
  const t = useTexts(admin);
  const deposits = useQuery(depositQueueQuery({}));
  const withdrawals = useQuery(withdrawalQueueQuery({}));
  const deals = useQuery(dealsToDecideQuery);
  const disputes = useQuery(waitingDisputesQuery);
  const support = useQuery(openSupportQuery);
  const reports = useQuery(waitingReportsQuery);
  return [
    {
      icon: ArrowDownToLine,
      name: t('deposits'),
      to: '/admin/deposit',
      query: deposits,
      total: deposits.data?.total,
      oldest: deposits.data?.rows[0]?.createdAt,
    },
    {
      icon: ArrowUpFromLine,
      name: t('withdrawals'),
      to: '/admin/withdrawal',
      query: withdrawals,
      total: withdrawals.data?.total,
      oldest: withdrawals.data?.rows[0]?.requestedAt,
    },
    {
      icon: Handshake,
      name: t('dealsToDecide'),
      to: '/admin/deals',
      search: { tab: 'decide' },
      query: deals,
      total: deals.data?.total,
      oldest: deals.data?.oldest,
    },
    {
      icon: Scale,
      name: t('disputes'),
      to: '/admin/disputes',
      query: disputes,
      total: disputes.data?.total,
      oldest: disputes.data?.oldest,
    },
    {
      icon: LifeBuoy,
      name: t('support'),
      to: '/admin/support-requests',
      query: support,
      total: support.data?.total,
      oldest: support.data?.rows[0]?.createdAt,
    },
    {
      icon: Flag,
      name: t('reports'),
      to: '/admin/reports',
      query: reports,
      total: reports.data?.total,
      oldest: reports.data?.oldest,
    },
  ];
}

export function OpenWork() {
  const t = useTexts(adminDashboard);
  const queues = useQueues();
  return (
    <Section title={t('waits')}>
      <ul className="grid border-t">
        {queues.map(({ icon: Icon, name, to, search, ...known }) => (
          <li key={to}>
            <Link
              to={to}
              className="flex min-h-13 items-center gap-3 border-b px-1 py-2 text-md no-underline hover:bg-muted"
              {...(search ? { search } : {})}
            >
              <Icon className="text-muted-foreground" aria-hidden="true" />
              <span className="flex min-w-0 flex-1 flex-wrap justify-between gap-x-3">
                <b className="font-semibold">{name}</b> <Oldest {...known} />
              </span>{' '}
              {known.total ? <Badge variant="count">{count(known.total)}</Badge> : null}
              <ArrowRight className="size-4 text-muted-foreground" aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
