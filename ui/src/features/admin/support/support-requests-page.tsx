import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import type { SupportRequest } from '@/api/contract';
import { EmptyState } from '@/components/empty-state';
import { lazyPart } from '@/components/lazy-part';
import { Badge } from '@/components/ui/badge';
import { shortId, titleOf } from '@/entities/deal/title';
import { UserName } from '@/entities/user/user-name';
import { useAhead } from '@/hooks/use-late-part';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { formatTime } from '@/lib/time';
import { openSupportQuery, supportQuery } from '../deals/queries';
import { QueuePage, type QueueTotals, RowLink } from '../queue/queue-page';
import { Age, QueueCell, QueueRow, QueueRows } from '../queue/queue-rows';
import { SearchFilter } from '../queue/search-filter';
import { useAdminList, useRowReview } from '../queue/use-admin-list';

const loadReview = () => import('./support-review');
const SupportReview = lazyPart(loadReview, ({ onClose }) => onClose());

const route = getRouteApi('/_admin/admin/support-requests');

function Line({ request, selected }: { request: SupportRequest; selected: boolean }) {
  const t = useTexts(admin);
  return (
    <QueueRow selected={selected}>
      <QueueCell column="name">
        <RowLink to="/admin/support-requests" id={request._id}>
          <UserName user={request.user} className="font-semibold" />
        </RowLink>
        <span className="block text-sm/[1.4] text-muted-foreground">{formatTime(request.createdAt, 'moment')}</span>
      </QueueCell>
      <QueueCell column="words">
        <span className="line-clamp-2 wrap-anywhere">{request.issueDescription}</span>
      </QueueCell>
      <QueueCell column="about" className="text-sm/[1.4] text-muted-foreground">
        <span className="line-clamp-2 wrap-anywhere">{titleOf(request.dealDescription) || shortId(request.dealId)}</span>
      </QueueCell>
      <QueueCell column="when">
        {request.closedAt === null ? (
          <Age since={request.createdAt} />
        ) : (
          <Badge variant="completed">
            <Check aria-hidden="true" />
            {t('support.closed')}
          </Badge>
        )}
      </QueueCell>
    </QueueRow>
  );
}

function useTotals(): QueueTotals | null {
  const { data } = useQuery(openSupportQuery);
  return data ? { total: data.total, cents: null, oldest: data.rows[0]?.createdAt } : null;
}

/** /admin/support-requests: open ones first, the oldest of them first. */
export function SupportRequestsPage() {
  useAhead(loadReview);
  const t = useTexts(admin);
  const list = useAdminList({ search: route.useSearch(), navigate: route.useNavigate(), query: supportQuery });
  const { search, rows, data } = list;
  const totals = useTotals();
  const { reviewed, onNext, onClose } = useRowReview(list);
  return (
    <QueuePage
      title={t('supportPage')}
      heading={t('support')}
      list={list}
      totals={totals}
      failure={t('supportFailed')}
      filter={
        <SearchFilter
          label={t('searchSupport')}
          search={search.search}
          found={data && search.search ? t('foundSupport', { count: data.total }) : ''}
          onSearch={(wanted) => list.choose({ search: wanted }, true)}
        />
      }
      table={
        <QueueRows words label={t('support')} heads={[t('user'), t('issue'), t('deal'), t('age')]}>
          {rows.map((request) => (
            <Line key={request._id} request={request} selected={request._id === search.review} />
          ))}
        </QueueRows>
      }
      empty={
        search.search ? (
          <EmptyState title={t('noSupport')} />
        ) : (
          <EmptyState title={t('empty.support')} text={t('empty.waitingText')} />
        )
      }
    >
      {reviewed ? <SupportReview key={reviewed.row._id} request={reviewed.row} onNext={onNext} onClose={onClose} /> : null}
    </QueuePage>
  );
}
