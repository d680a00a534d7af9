import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Hourglass, Search, Snowflake, UserX } from 'lucide-react';
import { type SyntheticEvent, useRef, useState } from 'react';
import type { Deal } from '@/api/contract';
import { CASH, CODE } from '@/components/classes';
import { EmptyState } from '@/components/empty-state';
import { lazyPart } from '@/components/lazy-part';
import { TAB_LINK } from '@/components/tabs-nav';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { NativeSelect } from '@/components/ui/native-select';
import { StatusBadge } from '@/entities/deal/status-badge';
import { shortId, titleOf } from '@/entities/deal/title';
import { useAhead } from '@/hooks/use-late-part';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';
import { centsFromWire, count, usd } from '@/lib/money';
import { uuid } from '@/lib/search-params';
import { useNow } from '@/lib/server-clock';
import { DEAL_STATUSES, type DealSearch } from '../admin-search';
import { QueuePage, RowLink } from '../queue/queue-page';
import { Age, ageText, QueueCell, QueueRow, QueueRows } from '../queue/queue-rows';
import { useAdminList, useRowReview } from '../queue/use-admin-list';
import { useSearchKey } from '../shortcuts/shortcuts';
import { nextActionOf } from './next-action';
import { adminDealsQuery, dealsToDecideQuery, waitingSince } from './queries';

type Props = { search: DealSearch; onChoose: (chosen: Pick<DealSearch, 'status' | 'dealId'>) => void };

/** Filters by status or id. A pasted id is searched for at once. */
function DealsFilter({ search, onChoose }: Props) {
  const t = useTexts(admin);
  const tKhata = useTexts(khata);
  const [typed, setTyped] = useState(search.dealId ?? '');
  const [shown, setShown] = useState(search.dealId);
  if (shown !== search.dealId) {
    setShown(search.dealId);
    setTyped(search.dealId ?? '');
  }
  const field = useRef<HTMLInputElement>(null);
  useSearchKey(field);
  const find = (text: string) => onChoose({ dealId: text.trim() });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    find(typed);
  };
  return (
    <form className="flex flex-wrap gap-2 py-3" role="search" onSubmit={submit}>
      <NativeSelect
        className="min-h-11 w-auto flex-[1_1_160px]"
        aria-label={t('status')}
        value={search.status ?? ''}
        onChange={({ target }) => onChoose({ status: DEAL_STATUSES.find((status) => status === target.value) })}
      >
        <option value="">{t('filter.any')}</option>
        {DEAL_STATUSES.map((status) => (
          <option key={status} value={status}>
            {tKhata(`status.${status}`)}
          </option>
        ))}
      </NativeSelect>
      <Input
        ref={field}
        type="search"
        className={cn(CODE, 'min-h-11 w-auto min-w-0 flex-[2_1_200px]')}
        aria-label={t('filter.id')}
        aria-keyshortcuts="/"
        title={t('searchKey')}
        placeholder={t('filter.id')}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          if (target.value === '' || uuid(target.value.trim()) !== undefined) find(target.value);
        }}
      />
      <Button type="submit" variant="outline" size="icon" aria-label={t('filter.find')}>
        <Search aria-hidden="true" />
      </Button>
    </form>
  );
}

const MARK = 'inline-flex items-center gap-1 text-sm/[1.4]';

/** Badges: waits for an admin, with the reason, or its clock is stopped. */
function DealMarks({ deal }: { deal: Deal }) {
  const t = useTexts(admin);
  return (
    <>
      {deal.escalated ? (
        <span className={cn(MARK, 'font-semibold text-destructive')}>
          <Hourglass className="size-4" aria-hidden="true" /> {t('mark.escalated')}
        </span>
      ) : null}
      {deal.suspended ? (
        <span className={cn(MARK, 'font-semibold text-destructive')}>
          <UserX className="size-4" aria-hidden="true" /> {t('mark.suspended')}
        </span>
      ) : null}
      {deal.frozen && !deal.suspended ? (
        <span className={MARK}>
          <Snowflake className="size-4" aria-hidden="true" /> {t('mark.frozen')}
        </span>
      ) : null}
    </>
  );
}

const statusGivesReason = ({ closeReason }: Deal): boolean => closeReason === 'completed' || closeReason === 'seller';

function Line({ deal, selected }: { deal: Deal; selected: boolean }) {
  const t = useTexts(admin);
  const now = useNow();
  const next = nextActionOf(t, deal);
  const since = waitingSince(deal);
  const what = deal.escalated || deal.frozen || statusGivesReason(deal) ? null : next.what;
  const nothing = since === null && what === null && next.when === null;
  return (
    <QueueRow selected={selected}>
      <QueueCell column="name">
        <RowLink to="/admin/deals" id={deal._id}>
          <b className="line-clamp-2 font-semibold wrap-anywhere">{titleOf(deal.description) || shortId(deal._id)}</b>
        </RowLink>
        <span className="block truncate text-sm/[1.4] text-muted-foreground">
          {t('fromTo', { buyer: deal.buyer.username, seller: deal.seller.username })}
        </span>
      </QueueCell>
      <QueueCell column="what" className={nothing ? 'max-wide:mr-0' : 'max-wide:mr-[50%]'}>
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
          <StatusBadge status={deal.status} />
          <DealMarks deal={deal} />
        </span>
      </QueueCell>
      <QueueCell column="sum">
        <span className={CASH}>{usd(centsFromWire(deal.price))}</span>
        <span className="block text-sm/[1.4] text-muted-foreground">{ageText(t, now - Date.parse(deal.createdAt))}</span>
      </QueueCell>
      <QueueCell column="state" className="text-sm/[1.4] max-wide:max-w-[50%]">
        {since === null ? null : (
          <span className="block">
            {t('age')} <Age since={since} />
          </span>
        )}
        {what === null ? null : <span className="block">{what}</span>}
        {next.when === null ? null : <span className="block text-muted-foreground lining-nums tabular-nums">{next.when}</span>}
      </QueueCell>
    </QueueRow>
  );
}

function DealsTable({ deals, selected }: { deals: readonly Deal[]; selected: string | undefined }) {
  const t = useTexts(admin);
  return (
    <QueueRows label={t('deals')} heads={[t('deal'), t('status'), t('priceAndAge'), t('next')]}>
      {deals.map((deal) => (
        <Line key={deal._id} deal={deal} selected={deal._id === selected} />
      ))}
    </QueueRows>
  );
}

const loadReview = () => import('./deal-review');
const DealReview = lazyPart(loadReview, ({ onClose }) => onClose());

const route = getRouteApi('/_admin/admin/deals');

function Tabs({ shown, waiting }: { shown: DealSearch['tab']; waiting: number | undefined }) {
  const t = useTexts(admin);
  const tab = { to: '/admin/deals', activeOptions: { exact: true }, resetScroll: false, className: TAB_LINK } as const;
  return (
    <>
      <Link {...tab} search={{}} aria-current={shown ? undefined : 'page'}>
        {t('tab.all')}
      </Link>
      <Link {...tab} search={{ tab: 'decide' }} aria-current={shown ? 'page' : undefined}>
        {t('tab.decide')} {waiting ? <Badge variant="count">{count(waiting)}</Badge> : null}
      </Link>
    </>
  );
}

function None({ search }: { search: DealSearch }) {
  const t = useTexts(admin);
  if (search.tab) return <EmptyState title={t('empty.decide')} text={t('empty.decideText')} />;
  if (search.dealId) return <EmptyState title={t('empty.dealId')} text={t('empty.dealIdText')} />;
  return <EmptyState title={t('empty.deals')} />;
}

export function DealsPage() {
  useAhead(loadReview);
  const t = useTexts(admin);
  const list = useAdminList({ search: route.useSearch(), navigate: route.useNavigate(), query: adminDealsQuery });
  const { search, rows } = list;
  const { data: toDecide } = useQuery(dealsToDecideQuery);
  const { reviewed, keep, onNext, onClose } = useRowReview(list);
  return (
    <QueuePage
      title={t('dealsPage')}
      heading={t('deals')}
      list={list}
      totals={search.tab && toDecide ? { ...toDecide, cents: null } : null}
      failure={t('dealsFailed')}
      tabs={<Tabs shown={search.tab} waiting={toDecide?.total} />}
      filter={search.tab ? null : <DealsFilter search={search} onChoose={list.choose} />}
      table={<DealsTable deals={rows} selected={search.review} />}
      empty={<None search={search} />}
    >
      {reviewed ? <DealReview key={reviewed.row._id} row={reviewed.row} keep={keep} onNext={onNext} onClose={onClose} /> : null}
    </QueuePage>
  );
}
