import { useSuspenseInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { lazyPart } from '@/components/lazy-part';
import { Page } from '@/components/page';
import { PendingButton } from '@/components/pending-button';
import { TAB_LINK, TabsNav } from '@/components/tabs-nav';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { dealTotalsQuery } from '@/entities/deal/queries';
import { useMinWidth } from '@/hooks/use-browser';
import { useTexts } from '@/i18n';
import { deals as catalogue } from '@/i18n/en/deals';
import { khata } from '@/i18n/en/khata';
import { count } from '@/lib/money';
import { rowsOf, totalOf } from '@/lib/rows';
import { useDealDialog } from '../create/use-deal-dialog';
import { DealCards } from './list-cards';
import { ListEmpty } from './list-empty';
import { DealTable } from './list-table';
import { dealTabQuery, TAB_PAGE } from './queries';
import { countByTab, firstTab, STATUS_OF } from './tab-statuses';
import { TABS, type Tab } from './tabs';

// Either table or cards are mounted, so that nothing is announced twice.
const TABLE_FROM = 900;

// Refetches every minute (docs/rules.md#timings), because time moves deals between tabs.
const REFRESH_INTERVAL = 60_000;

const WaitingInvites = lazyPart(() => import('../invite/waiting-invites'));

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
  const wide = useMinWidth(TABLE_FROM);
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
      {wide ? <DealTable deals={deals} rest={rest} tab={tab} /> : <DealCards deals={deals} tab={tab} />}
      {rest > 0 ? (
        <PendingButton variant="outline" className="mt-4" pending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
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
