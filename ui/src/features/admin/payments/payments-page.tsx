import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import {
  ArrowLeftRight,
  CircleCheckBig,
  CircleHelp,
  CircleSlash,
  Hourglass,
  type LucideIcon,
  OctagonAlert,
  Send,
} from 'lucide-react';
import type { AdminPayment } from '@/api/contract';
import { CASH } from '@/components/classes';
import { EmptyState } from '@/components/empty-state';
import { TAB_LINK } from '@/components/tabs-nav';
import { Badge, type BadgeVariant } from '@/components/ui/badge';
import { UserName } from '@/entities/user/user-name';
import { useTexts } from '@/i18n';
import { adminPayments } from '@/i18n/en/admin';
import { cn } from '@/lib/cn';
import { bdt, centsFromWire, localDigits } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { PAYMENT_TABS } from '../admin-search';
import { QueuePage, ROW_LINK } from '../queue/queue-page';
import { QueueCell, QueueRow, QueueRows } from '../queue/queue-rows';
import { useAdminList } from '../queue/use-admin-list';
import { Accounts, useAccountName } from './accounts';
import { Drift } from './drift';
import { accountsQuery, paymentsQuery } from './queries';

const route = getRouteApi('/_admin/admin/payments');

const LOOKS = {
  credited: ['completed', CircleCheckBig],
  sent: ['completed', Send],
  left: ['late', OctagonAlert],
  unclaimed: ['pending', Hourglass],
  own: ['cancelled', ArrowLeftRight],
  held: ['late', OctagonAlert],
  ignored: ['cancelled', CircleSlash],
  unread: ['late', CircleHelp],
} as const satisfies Record<AdminPayment['state'], readonly [BadgeVariant, LucideIcon]>;

function Line({ row }: { row: AdminPayment }) {
  const t = useTexts(adminPayments);
  const account = useAccountName()(row.receiver);
  const { state, party, amount, outgoing, text, user } = row;
  const [variant, Icon] = LOOKS[state];
  return (
    <QueueRow selected={false}>
      <QueueCell column="name" className="wrap-anywhere">
        {party === null ? null : (
          <b className="block font-semibold">{t(outgoing ? 'to' : 'from', { party: localDigits(party) })}</b>
        )}
        <span className="text-sm text-muted-foreground">{account}</span>
      </QueueCell>
      <QueueCell column="words" className="wrap-anywhere">
        {text}
        {user ? (
          <Link to="/admin/users" search={{ review: user._id }} className={ROW_LINK}>
            <UserName user={user} />
          </Link>
        ) : null}
      </QueueCell>
      <QueueCell column="about" className={cn(CASH, 'max-wide:text-start')}>
        {amount === null ? null : `${outgoing ? '−' : '+'} ${bdt(centsFromWire(amount))}`}
      </QueueCell>
      <QueueCell column="when" className="text-sm/[1.4]">
        <Badge variant={variant}>
          <Icon aria-hidden="true" /> {t(`state.${state}`)}
        </Badge>
        <span className="mt-1 block lining-nums tabular-nums">{formatTime(row.at ?? row.forwardedAt, 'moment')}</span>
      </QueueCell>
    </QueueRow>
  );
}

/** /admin/payments: our accounts with the providers, and what their SMS state, newest first. */
export function PaymentsPage() {
  const t = useTexts(adminPayments);
  const list = useAdminList({ search: route.useSearch(), navigate: route.useNavigate(), query: paymentsQuery });
  const { tab: shown = 'all' } = list.search;
  const noPhone = useQuery(accountsQuery).data?.length === 0;
  return (
    <QueuePage
      title={t('page')}
      heading={t('payments')}
      list={list}
      above={
        <>
          <Drift />
          <Accounts />
        </>
      }
      failure={t('failed')}
      tabs={PAYMENT_TABS.map((tab) => (
        <Link
          key={tab}
          from="/admin/payments"
          search={{ tab }}
          resetScroll={false}
          className={TAB_LINK}
          aria-current={tab === shown ? 'page' : undefined}
        >
          {t(tab === 'all' ? 'all' : `state.${tab}`)}
        </Link>
      ))}
      table={
        <QueueRows words label={t('payments')} heads={[t('party'), t('whose'), t('amount'), t('state')]}>
          {list.rows.map((row) => (
            <Line key={row._id} row={row} />
          ))}
        </QueueRows>
      }
      empty={<EmptyState title={t(noPhone ? 'noPhone' : `empty.${shown}`)} />}
    />
  );
}
