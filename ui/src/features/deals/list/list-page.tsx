import type { QueryClient } from '@tanstack/react-query';
import { useSuspenseInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { EmptyState } from '@/components/empty-state';
import { EmptyStrip } from '@/components/empty-strip';
import { lazyPart } from '@/components/lazy-part';
import { Page } from '@/components/page';
import { PendingButton } from '@/components/pending-button';
import { SkeletonPage } from '@/components/skeleton-page';
import { TAB_LINK, TabsNav } from '@/components/tabs-nav';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { dealTotalsQuery } from '@/entities/deal/queries';
import { translate, useTexts } from '@/i18n';
import { deals as catalogue } from '@/i18n/en/deals';
import { khata } from '@/i18n/en/khata';
import { count } from '@/lib/money';
import { notifyFailure } from '@/lib/notify-failure';
import { rowsOf, totalOf } from '@/lib/rows';
import { useDealDialog } from '../create/use-deal-dialog';
import { isSilent } from '../failures';
import { DealTable } from './list-table';
import { countByTab, dealTabQuery, firstTab, STATUS_OF, TAB_PAGE } from './queries';
import { TABS, type Tab } from './tabs';

const ROWS = [0, 1, 2, 3];

export function ListSkeleton() {
  const t = useTexts(catalogue);
  return (
    <Page title={t('page')}>
      <SkeletonPage>
        <div className="mb-3 flex items-center justify-between gap-3 2xs:mb-5 2xs:flex-wrap 2xs:gap-x-6">
          <p className="font-display text-display-lg max-2xs:min-w-0 max-2xs:text-[24px]">{t('page')}</p>
          <Skeleton className="h-11 w-34.25" />
        </div>
        <div className="flex min-h-12 items-center gap-6 border-b border-border-strong">
          {ROWS.map((row) => (
            <Skeleton key={row} className="w-22" />
          ))}
        </div>
        {ROWS.map((row) => (
          <div key={row} className="flex min-h-19 items-center gap-6 border-b">
            <span className="grid min-w-0 flex-1 content-start gap-2 *:min-w-0">
              <Skeleton className="w-3/5" />
              <Skeleton className="w-[38%]" />
            </span>
            <Skeleton className="h-8 w-24" />
          </div>
        ))}
      </SkeletonPage>
    </Page>
  );
}

type Props = { tabs: Record<Tab, number>; current: Tab; onCreate: () => void };

function ListEmpty({ tabs, current, onCreate }: Props) {
  const t = useTexts(catalogue);
  const tKhata = useTexts(khata);
  const others = { ...tabs, [current]: 0 };
  const target = firstTab(others);
  const found = others[target];
  if (found === 0) {
    return (
      <EmptyState
        picture={<EmptyStrip />}
        title={t(current === 'pending' ? 'empty.all' : `empty.${current}`)}
        text={t(current === 'pending' ? 'empty.allText' : `empty.${current}Text`)}
      >
        <Button variant="outline" onClick={onCreate}>
          {t('create')}
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState picture={<EmptyStrip />} title={t(`empty.${current}`)} text={t(`empty.${current}Text`)}>
      <Button variant="outline" asChild>
        <Link to="/deal" search={{ tab: target }} resetScroll={false}>
          {t('empty.see', { status: tKhata(`status.${STATUS_OF[target]}`), count: found })}
        </Link>
      </Button>
    </EmptyState>
  );
}

// Refetches every minute (docs/rules.md#timings), because time moves deals between tabs.
const REFRESH_INTERVAL = 60_000;

const WaitingInvites = lazyPart(() => import('../invite/waiting-invites'));

export async function loadDeals(queryClient: QueryClient, tab: Tab | undefined, preload: boolean): Promise<void> {
  try {
    const totals = queryClient.query({ ...dealTotalsQuery, staleTime: 'static' });
    const shown = tab ?? firstTab(countByTab(await totals));
    await Promise.all([totals, queryClient.infiniteQuery({ ...dealTabQuery(shown), staleTime: 'static' })]);
  } catch (error) {
    if (!isSilent(error, preload)) notifyFailure(translate(catalogue, 'listFailed'), error);
    throw error;
  }
}

type Counts = Record<Tab, number>;

function TabLinks({ tabs, current }: { tabs: Counts; current: Tab }) {
  const t = useTexts(catalogue);
  const tKhata = useTexts(khata);
  const nav = useRef<HTMLElement>(null);
  // Scrolls the current tab into view, since a phone has no room for all six.
  useEffect(() => {
    const strip = nav.current;
    const link = strip?.querySelector<HTMLElement>('[aria-current]');
    if (!strip || !link) return;
    strip.scrollLeft = link.offsetLeft - strip.offsetLeft - (strip.clientWidth - link.clientWidth) / 2;
  }, [current]);
  return (
    <TabsNav aria-label={t('tabs')} ref={nav}>
      {TABS.map((tab) => (
        <Link
          key={tab}
          to="/deal"
          search={{ tab }}
          resetScroll={false}
          className={TAB_LINK}
          aria-current={tab === current ? 'page' : undefined}
          activeProps={{}}
        >
          {tKhata(`status.${STATUS_OF[tab]}`)} <Badge variant="count">{count(tabs[tab])}</Badge>
        </Link>
      ))}
    </TabsNav>
  );
}

function Lines({ tab, empty }: { tab: Tab; empty: ReactNode }) {
  const t = useTexts(catalogue);
  const { data, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery({
    ...dealTabQuery(tab),
    refetchInterval: REFRESH_INTERVAL,
    meta: { fallback: () => t('listFailed') },
  });
  const deals = rowsOf(data.pages);
  const rest = Math.max(0, totalOf(data.pages) - deals.length);
  if (deals.length === 0) return empty;
  return (
    <>
      <DealTable deals={deals} rest={rest} tab={tab} />
      {rest > 0 ? (
        <PendingButton
          variant="outline"
          className="mt-4"
          pending={isFetchingNextPage}
          pendingText={null}
          onClick={() => void fetchNextPage()}
        >
          {t('list.more', { count: Math.min(rest, TAB_PAGE) })}
        </PendingButton>
      ) : null}
    </>
  );
}

export function DealList({ tab }: { tab: Tab | undefined }) {
  const t = useTexts(catalogue);
  const { data } = useSuspenseQuery({ ...dealTotalsQuery, refetchInterval: REFRESH_INTERVAL });
  const tabs = countByTab(data);
  const current = tab ?? firstTab(tabs);
  const dialog = useDealDialog();
  return (
    <Page title={t('page')}>
      <div className="mb-3 flex items-center justify-between gap-3 2xs:mb-5 2xs:flex-wrap 2xs:gap-x-6">
        <h1 className="font-display text-display-lg max-2xs:min-w-0 max-2xs:text-[24px]">{t('page')}</h1>
        <Button
          className="max-2xs:flex-none max-2xs:px-3.5"
          onPointerEnter={dialog.ahead}
          onFocus={dialog.ahead}
          onClick={dialog.open}
        >
          <Plus aria-hidden="true" />
          {t('create')}
        </Button>
      </div>
      <TabLinks tabs={tabs} current={current} />
      {current === 'pending' ? (
        <Suspense>
          <WaitingInvites />
        </Suspense>
      ) : null}
      <Lines key={current} tab={current} empty={<ListEmpty tabs={tabs} current={current} onCreate={dialog.open} />} />
      {dialog.element}
    </Page>
  );
}
