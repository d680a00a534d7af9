import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useEffectEvent } from 'react';
import { LoadFailed } from '@/components/load-failed';
import { Note } from '@/components/note';
import { Pager } from '@/components/pager';
import { SkeletonPage } from '@/components/skeleton-page';
import { TAB_LINK, TabsNav } from '@/components/tabs-nav';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { useStillHere } from '@/hooks/use-still-here';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { common } from '@/i18n/en/common';
import { type Cents, count, usd } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import type { WithdrawalTab } from '../admin-search';
import { AdminMain } from '../frame/admin-frame';
import { ageText } from './queue-rows';
import { type AdminList, rowLinkId } from './use-admin-list';

export type QueuePath = '/admin/deposit' | '/admin/withdrawal';
type ReviewPath =
  | QueuePath
  | '/admin/deals'
  | '/admin/corrections'
  | '/admin/support-requests'
  | '/admin/reports'
  | '/admin/bug-reports'
  | '/admin/contact-messages'
  | '/admin/users'
  | '/admin/audit';

type QueueTabsProps = {
  to: QueuePath;
  tabs: readonly WithdrawalTab[];
  shown: WithdrawalTab;
  /** The numbers of rows on tabs. */
  totals: Readonly<Partial<Record<WithdrawalTab, number | undefined>>>;
};

export function QueueTabs({ to, tabs, shown, totals }: QueueTabsProps) {
  const t = useTexts(admin);
  return tabs.map((tab) => (
    <Link
      key={tab}
      to={to}
      search={(now) => ({ ...now, tab, page: undefined, review: undefined })}
      resetScroll={false}
      className={TAB_LINK}
      aria-current={tab === shown ? 'page' : undefined}
    >
      {t(`tab.${tab}`)} {totals[tab] ? <Badge variant="count">{count(totals[tab])}</Badge> : null}
    </Link>
  ));
}

/** Its press area is the row. */
export const ROW_LINK =
  'after:absolute after:inset-0 focus-visible:outline-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-pen';

export function RowLink({ to, id, children }: { to: ReviewPath; id: string; children: ReactNode }) {
  return (
    <Link from={to} search={(now) => ({ ...now, review: id })} id={rowLinkId(id)} className={ROW_LINK} resetScroll={false}>
      {children}
    </Link>
  );
}

/** The total of what waits, or was `found`. `cents` is null if not all rows are loaded. */
export type QueueTotals = { total: number; cents: Cents | null; oldest: string | undefined; found?: boolean };

function Totals({ totals }: { totals: QueueTotals }) {
  const t = useTexts(admin);
  const now = useNow();
  const { total, cents, oldest, found = false } = totals;
  return (
    <dl className="flex gap-7">
      <div aria-live="polite" aria-atomic="true">
        <dt className="text-caption text-muted-foreground">{t(found ? 'found' : 'waiting')}</dt>
        <dd className="font-semibold whitespace-nowrap tabular-nums">{count(total)}</dd>
      </div>
      {cents === null || total === 0 ? null : (
        <div>
          <dt className="text-caption text-muted-foreground">{t('sum')}</dt>
          <dd className="font-semibold whitespace-nowrap tabular-nums">{usd(cents)}</dd>
        </div>
      )}
      {oldest === undefined ? null : (
        <div>
          <dt className="text-caption text-muted-foreground">{t('oldest')}</dt>
          <dd className="font-semibold whitespace-nowrap tabular-nums">{ageText(t, now - Date.parse(oldest))}</dd>
        </div>
      )}
    </dl>
  );
}

/** Says that a refresh failed, with the time of the rows shown. */
function Stale({ asOf, onRetry }: { asOf: number; onRetry: () => void }) {
  const t = useTexts(admin);
  const tCommon = useTexts(common);
  return (
    <Note kind="bad" className="mb-2">
      {t('stale', { when: formatTime(asOf, 'moment') })}{' '}
      <Button variant="link" onClick={onRetry}>
        {tCommon('retry')}
      </Button>
    </Note>
  );
}

function QueueSkeleton() {
  return (
    <SkeletonPage part>
      {Array.from({ length: 7 }, (_, index) => (
        <div key={index} className="flex justify-between border-b py-5.5">
          <Skeleton className="h-4.5 w-[26%]" />
          <Skeleton className="h-4.5 w-[26%]" />
          <Skeleton className="h-4.5 w-[12%]" />
        </div>
      ))}
    </SkeletonPage>
  );
}

type Props = {
  title: string;
  heading: string;
  list: Omit<AdminList, 'search' | 'change'>;
  totals?: QueueTotals | null;
  above?: ReactNode;
  failure?: string;
  tabs?: ReactNode;
  filter?: ReactNode;
  table: ReactNode;
  empty: ReactNode;
  children?: ReactNode;
};

export function QueuePage(props: Props) {
  const { title, heading, list, totals = null, above, failure = '', tabs, filter, table, empty, children } = props;
  const { rows, page, pages, stale, error, retry, goTo } = list;
  const t = useTexts(admin);
  const here = useStillHere();
  // The last row of the last page was handled, so that page is gone.
  const last = pages === null ? page : Math.max(1, pages);
  const clamp = useEffectEvent(() => {
    if (page > last && here()) goTo(last, true);
  });
  useEffect(() => clamp(), [page, last]);
  const body = () => {
    if (error) return <LoadFailed error={error} fallback={failure} onRetry={retry} />;
    if (pages === null) return <QueueSkeleton />;
    return rows.length > 0 ? table : empty;
  };
  return (
    <>
      <AdminMain title={title}>
        <div className="mb-3 flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
          <h1 className="font-display text-display-md">{heading}</h1>
          {totals ? <Totals totals={totals} /> : null}
        </div>
        {above}
        {tabs ? <TabsNav aria-label={t('status')}>{tabs}</TabsNav> : null}
        {filter}
        <div role="status" aria-live="polite">
          {stale ? <Stale asOf={stale.asOf} onRetry={retry} /> : null}
        </div>
        {body()}
        <div className="mt-4">
          <Pager page={page} pages={pages ?? 1} onPage={(wanted) => goTo(wanted)} label={t('pages')} />
        </div>
      </AdminMain>
      <Suspense>{children}</Suspense>
    </>
  );
}
