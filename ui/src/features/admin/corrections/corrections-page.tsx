import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CirclePlus } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Correction } from '@/api/contract';
import { CASH } from '@/components/classes';
import { EmptyState } from '@/components/empty-state';
import { lazyPart } from '@/components/lazy-part';
import { TAB_LINK } from '@/components/tabs-nav';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { UserName } from '@/entities/user/user-name';
import { useAhead } from '@/hooks/use-late-part';
import { useTexts } from '@/i18n';
import { admin, adminCorrections } from '@/i18n/en/admin';
import { cn } from '@/lib/cn';
import { count } from '@/lib/money';
import { CORRECTION_TABS } from '../admin-search';
import { QueuePage, RowLink } from '../queue/queue-page';
import { Age, QueueCell, QueueRow, QueueRows } from '../queue/queue-rows';
import { SearchFilter } from '../queue/search-filter';
import { useAdminList, useRowReview } from '../queue/use-admin-list';
import { CorrectionBadge, movedCents, signedUsd } from './correction-parts';
import { correctionQuery, correctionsQuery, waitingCorrectionsQuery } from './queries';

const loadReview = () => import('./correction-review');
const CorrectionReview = lazyPart(loadReview, ({ onClose }) => onClose());
const loadPropose = () => import('./propose-dialog');
const ProposeDialog = lazyPart(loadPropose, ({ onClose }) => onClose());

const route = getRouteApi('/_admin/admin/corrections');

function Tabs({ shown, waiting }: { shown: Correction['status']; waiting: number | undefined }) {
  const t = useTexts(adminCorrections);
  return CORRECTION_TABS.map((tab) => (
    <Link
      key={tab}
      from="/admin/corrections"
      search={({ search }) => ({ tab, search })}
      resetScroll={false}
      className={TAB_LINK}
      aria-current={tab === shown ? 'page' : undefined}
    >
      {t(`tab.${tab}`)} {tab === 'open' && waiting ? <Badge variant="count">{count(waiting)}</Badge> : null}
    </Link>
  ));
}

function Line({ row, selected }: { row: Correction; selected: boolean }) {
  return (
    <QueueRow selected={selected}>
      <QueueCell column="name" className="wrap-anywhere">
        <RowLink to="/admin/corrections" id={row._id}>
          <UserName user={row.user} className="font-semibold" />
        </RowLink>
      </QueueCell>
      <QueueCell column="words">
        <span className="line-clamp-2 wrap-anywhere">{row.reason}</span>
      </QueueCell>
      <QueueCell column="about" className={cn(CASH, 'max-wide:text-start')}>
        {signedUsd(movedCents(row))}
      </QueueCell>
      <QueueCell column="when">
        {row.status === 'open' ? <Age since={row.proposedAt} /> : <CorrectionBadge status={row.status} />}
      </QueueCell>
    </QueueRow>
  );
}

/** /admin/corrections: open corrections, the oldest first, and decided ones. */
export function AdminCorrectionsPage() {
  useAhead(loadReview);
  const t = useTexts(adminCorrections);
  const tAdmin = useTexts(admin);
  const list = useAdminList({ search: route.useSearch(), navigate: route.useNavigate(), query: correctionsQuery });
  const { search, rows } = list;
  const { tab = 'open' } = search;
  const waiting = useQuery(waitingCorrectionsQuery).data;
  const { reviewed, keep, onNext, onClose } = useRowReview(list);
  // A notification links to a correction on any page of the lists.
  const linked = useQuery({ ...correctionQuery(search.review ?? ''), enabled: search.review !== undefined && reviewed === null });
  const row = reviewed?.row ?? (search.review === undefined ? undefined : linked.data);
  const [asked, setAsked] = useState(false);
  const stopProposing = () => {
    setAsked(false);
    if (search.propose !== undefined) list.change((now) => ({ ...now, propose: undefined }), true);
  };
  const proposing = asked || search.propose !== undefined;
  return (
    <QueuePage
      title={t('page')}
      heading={t('corrections')}
      list={list}
      totals={waiting ? { total: waiting.total, cents: null, oldest: waiting.oldest } : null}
      failure={t('failed')}
      tabs={<Tabs shown={tab} waiting={waiting?.total} />}
      filter={
        <div className="flex flex-wrap items-center gap-x-3">
          <div className="min-w-0 flex-[1_1_240px]">
            <SearchFilter
              label={t('search')}
              search={search.search}
              found={list.data && search.search ? t('found', { count: list.data.total }) : ''}
              onSearch={(wanted) => list.choose({ search: wanted }, true)}
            />
          </div>
          <Button variant="outline" className="mb-3 wide:mb-0" onClick={() => setAsked(true)}>
            <CirclePlus aria-hidden="true" /> {t('propose')}
          </Button>
        </div>
      }
      table={
        <QueueRows
          words
          label={t('corrections')}
          heads={[t('user'), t('reason'), t('amount'), tAdmin(tab === 'open' ? 'age' : 'status')]}
        >
          {rows.map((one) => (
            <Line key={one._id} row={one} selected={one._id === search.review} />
          ))}
        </QueueRows>
      }
      empty={<EmptyState title={t(`empty.${tab}`)} />}
    >
      {row ? <CorrectionReview key={row._id} row={row} keep={keep} onNext={onNext} onClose={onClose} /> : null}
      {proposing ? (
        <Suspense>
          <ProposeDialog key={search.propose ?? ''} userId={search.propose} onClose={stopProposing} />
        </Suspense>
      ) : null}
    </QueuePage>
  );
}
