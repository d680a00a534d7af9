import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { AdminUser } from '@/api/contract';
import { Empty } from '@/components/ui/empty';
import { useTexts } from '@/i18n';
import { adminUsers } from '@/i18n/en/admin-users';
import { cn } from '@/lib/cn';
import { centsFromWire, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { PAGE_SIZE } from '../queries';
import { RowLink } from '../queue-links';
import { QueuePage } from '../queue-page';
import { QueueRows } from '../queue-table';
import { useQueue } from '../use-queue';
import { usersQuery } from './queries';
import { UserReview } from './user-review';
import type { UserSearch } from './user-search';
import { UserState } from './user-state';
import { UsersFilter } from './users-filter';
import './users.css';

const route = getRouteApi('/_admin/admin/users');

function Line({ user, selected }: { user: AdminUser; selected: boolean }) {
  const t = useTexts(adminUsers);
  const inEscrow = centsFromWire(user.inEscrow);
  return (
    <tr className={cn('qrow', selected && 'sel')}>
      <td>
        <RowLink to="/admin/users" id={user._id}>
          <b className="b">{user.username}</b>
        </RowLink>
        <span className="m t14 clip block">{user.email}</span>
      </td>
      <td>
        <span className="num">{t('deals', { count: user.totalDeals })}</span>
        <span className="usersince m t14">{t('since', { when: formatTime(user.createdAt, 'day') })}</span>
      </td>
      <td className="end">
        <span className="cash">{usd(centsFromWire(user.wallet))}</span>
        {inEscrow === 0 ? null : <span className="m t14 num block">{t('held', { sum: usd(inEscrow) })}</span>}
      </td>
      <td className="end">
        <span className="userstate">
          <UserState user={user} />
        </span>
      </td>
    </tr>
  );
}

/** /admin/users: all users with their wallets, newest first, or those who are searched for. */
export function UsersPage() {
  const t = useTexts(adminUsers);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch = (change: (now: UserSearch) => UserSearch, replace: boolean) =>
    void navigate({ search: change, replace, resetScroll: false });
  const query = useQuery(usersQuery(search.search ?? '', search.page ?? 1));
  const { rows = [], total = 0 } = query.data ?? {};
  const { reviewed, next, close } = useQueue(rows, search, onSearch);
  const retry = () => void query.refetch();
  return (
    <QueuePage
      title={t('page')}
      heading={t('users')}
      page={search.page ?? 1}
      list={query.data ? { rows: rows.length, pages: Math.ceil(total / PAGE_SIZE) } : null}
      totals={null}
      stale={query.data && query.isError ? { asOf: query.dataUpdatedAt, retry } : null}
      failed={query.isLoadingError ? { error: query.error, fallback: t('failed'), retry } : null}
      filter={
        <UsersFilter
          search={search.search ?? ''}
          found={query.data && search.search ? t('found', { count: total }) : ''}
          onSearch={(wanted) => onSearch(() => (wanted === '' ? {} : { search: wanted }), true)}
        />
      }
      table={
        <QueueRows label={t('users')} heads={[t('user'), t('dealsAndSince'), t('wallet'), t('state')]}>
          {rows.map((user) => (
            <Line key={user._id} user={user} selected={user._id === search.review} />
          ))}
        </QueueRows>
      }
      empty={<Empty title={t('none')} text={search.search ? t('noneText') : undefined} />}
      onPage={(page, replace = false) =>
        onSearch((now) => ({ ...now, page: page === 1 ? undefined : page, review: undefined }), replace)
      }
    >
      {search.review === undefined ? null : (
        <UserReview
          key={search.review}
          id={search.review}
          row={reviewed?.row ?? null}
          onNext={reviewed ? next : null}
          onClose={close}
        />
      )}
    </QueuePage>
  );
}
