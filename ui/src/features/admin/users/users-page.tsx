import { getRouteApi } from '@tanstack/react-router';
import type { AdminUser } from '@/api/contract';
import { CASH } from '@/components/classes';
import { EmptyState } from '@/components/empty-state';
import { lazyPart } from '@/components/lazy-part';
import { UserName } from '@/entities/user/user-name';
import { useAhead } from '@/hooks/use-late-part';
import { useTexts } from '@/i18n';
import { adminUsers } from '@/i18n/en/admin';
import { centsFromWire, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { QueuePage, RowLink } from '../queue/queue-page';
import { QueueCell, QueueRow, QueueRows } from '../queue/queue-rows';
import { SearchFilter } from '../queue/search-filter';
import { useAdminList, useRowReview } from '../queue/use-admin-list';
import { usersQuery } from './queries';
import { UserState } from './user-state';

const loadReview = () => import('./user-review');
const UserReview = lazyPart(loadReview, ({ onClose }) => onClose());

const route = getRouteApi('/_admin/admin/users');

function Line({ user, selected }: { user: AdminUser; selected: boolean }) {
  const t = useTexts(adminUsers);
  const inEscrow = centsFromWire(user.inEscrow);
  return (
    <QueueRow selected={selected}>
      <QueueCell column="name">
        <RowLink to="/admin/users" id={user._id}>
          <UserName user={user} className="font-semibold" />
        </RowLink>
        <span className="block truncate text-sm/[1.4] text-muted-foreground">{user.email}</span>
      </QueueCell>
      <QueueCell column="what">
        <span className="lining-nums tabular-nums">{t('deals', { count: user.totalDeals })}</span>
        <span className="ml-2 text-sm/[1.4] text-muted-foreground wide:ml-0 wide:block">
          {t('since', { when: formatTime(user.createdAt, 'day') })}
        </span>
      </QueueCell>
      <QueueCell column="sum">
        <span className={CASH}>{usd(centsFromWire(user.wallet))}</span>
        {inEscrow === 0 ? null : (
          <span className="block text-sm/[1.4] text-muted-foreground lining-nums tabular-nums">
            {t('held', { sum: usd(inEscrow) })}
          </span>
        )}
      </QueueCell>
      <QueueCell column="state">
        <span className="flex justify-end">
          <UserState user={user} />
        </span>
      </QueueCell>
    </QueueRow>
  );
}

/** /admin/users: users with their wallets, newest first. */
export function UsersPage() {
  useAhead(loadReview);
  const t = useTexts(adminUsers);
  const list = useAdminList({ search: route.useSearch(), navigate: route.useNavigate(), query: usersQuery });
  const { search, rows } = list;
  const { reviewed, onNext, onClose } = useRowReview(list);
  return (
    <QueuePage
      title={t('page')}
      heading={t('users')}
      list={list}
      failure={t('failed')}
      filter={
        <SearchFilter
          label={t('search')}
          search={search.search}
          found={list.data && search.search ? t('found', { count: list.data.total }) : ''}
          onSearch={(wanted) => list.choose({ search: wanted }, true)}
        />
      }
      table={
        <QueueRows label={t('users')} heads={[t('user'), t('dealsAndSince'), t('wallet'), t('state')]}>
          {rows.map((user) => (
            <Line key={user._id} user={user} selected={user._id === search.review} />
          ))}
        </QueueRows>
      }
      empty={<EmptyState title={t('none')} text={search.search ? t('noneText') : undefined} />}
    >
      {search.review === undefined ? null : (
        <UserReview
          key={search.review}
          id={search.review}
          row={reviewed?.row ?? null}
          onNext={reviewed ? onNext : null}
          onClose={onClose}
        />
      )}
    </QueuePage>
  );
}
