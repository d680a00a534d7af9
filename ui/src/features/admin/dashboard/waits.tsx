import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowDownToLine, ArrowRight, ArrowUpFromLine, Handshake, LifeBuoy } from 'lucide-react';
import type { ReactNode } from 'react';
import { Section } from '@/components/khata/section';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { adminDashboard } from '@/i18n/en/admin-dashboard';
import { cn } from '@/lib/cn';
import { count } from '@/lib/money';
import { useNow } from '@/lib/time';
import { ageText, LATE_AFTER } from '../age';
import { dealsToDecideQuery, openSupportQuery } from '../deal-queries';
import { depositQueueQuery, withdrawalQueueQuery } from '../queries';

type Known = {
  query: { isLoadingError: boolean };
  /** Undefined until it is known. */
  total: number | undefined;
  /** Since when the oldest waits. */
  oldest: string | undefined;
};

type Queue = Known & {
  icon: ReactNode;
  name: string;
  to: '/admin/deposit' | '/admin/withdrawal' | '/admin/deals' | '/admin/support-requests';
  search?: { tab: 'decide' };
};

/** For how long the oldest waits, or that nothing does. */
function Oldest({ query, total, oldest }: Known) {
  const t = useTexts(adminDashboard);
  const a = useTexts(admin);
  const now = useNow();
  if (total === undefined) {
    return query.isLoadingError ? <span className="m">{t('unknown')}</span> : <Skeleton width={96} height={18} />;
  }
  if (total === 0) return <span className="m">{t('nothing')}</span>;
  if (oldest === undefined) return null;
  const age = now - Date.parse(oldest);
  return <span className={cn('num m', age >= LATE_AFTER && 'rust b')}>{t('oldest', { age: ageText(a, age) })}</span>;
}

function useQueues(): Queue[] {
  const t = useTexts(admin);
  const deposits = useQuery(depositQueueQuery('waiting', 1));
  const withdrawals = useQuery(withdrawalQueueQuery('waiting', 1));
  const deals = useQuery(dealsToDecideQuery);
  const support = useQuery(openSupportQuery);
  return [
    {
      icon: <ArrowDownToLine aria-hidden="true" />,
      name: t('deposits'),
      to: '/admin/deposit',
      query: deposits,
      total: deposits.data?.total,
      oldest: deposits.data?.deposits[0]?.createdAt,
    },
    {
      icon: <ArrowUpFromLine aria-hidden="true" />,
      name: t('withdrawals'),
      to: '/admin/withdrawal',
      query: withdrawals,
      total: withdrawals.data?.total,
      oldest: withdrawals.data?.withdrawals[0]?.requestedAt,
    },
    {
      icon: <Handshake aria-hidden="true" />,
      name: t('dealsToDecide'),
      to: '/admin/deals',
      search: { tab: 'decide' },
      query: deals,
      total: deals.data?.total,
      oldest: deals.data?.oldest,
    },
    {
      icon: <LifeBuoy aria-hidden="true" />,
      name: t('support'),
      to: '/admin/support-requests',
      query: support,
      total: support.data?.total,
      oldest: support.data?.rows[0]?.createdAt,
    },
  ];
}

/** The queues with how many wait in each, and for how long. */
export function Waits() {
  const t = useTexts(adminDashboard);
  const queues = useQueues();
  return (
    <Section title={t('waits')}>
      <ul className="awaits">
        {queues.map(({ icon, name, to, search, ...known }) => (
          <li key={to}>
            <Link to={to} {...(search ? { search } : {})}>
              {icon}
              <span className="awaits__name">
                <b className="b">{name}</b> <Oldest {...known} />
              </span>{' '}
              {known.total ? <span className="count">{count(known.total)}</span> : null}
              <ArrowRight className="i16 m" aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
