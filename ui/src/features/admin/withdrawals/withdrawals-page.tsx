import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { AdminWithdrawal } from '@/api/contract';
import { lazyPart } from '@/components/lazy-part';
import { groupedPhone } from '@/entities/wallet/mobile-money';
import { useAhead } from '@/hooks/use-late-part';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { centsFromWire, localDigits } from '@/lib/money';
import { type QueueLine, QueueScreen } from '../queue/queue-screen';
import { useAdminList } from '../queue/use-admin-list';
import { withdrawalQueueQuery } from './queries';

const loadReview = () => import('./withdrawal-review');
const WithdrawalReview = lazyPart(loadReview, ({ onClose }) => onClose());

const route = getRouteApi('/_admin/admin/withdrawal');

function lineOf(row: AdminWithdrawal): QueueLine {
  return {
    id: row._id,
    user: row.user,
    reference: localDigits(groupedPhone(row.phonenumber)),
    method: row.paymentMethod,
    cents: centsFromWire(row.amount),
    poisha: centsFromWire(row.convertedAmount),
    since: row.requestedAt,
    status: row.status,
    claim: row.claim,
    operation: row.operation,
  };
}

export function WithdrawalsPage() {
  useAhead(loadReview);
  const t = useTexts(admin);
  const list = useAdminList({
    search: route.useSearch(),
    navigate: route.useNavigate(),
    query: withdrawalQueueQuery,
    throws: true,
  });
  return (
    <QueueScreen
      kind="withdrawals"
      to="/admin/withdrawal"
      list={list}
      waiting={useQuery(withdrawalQueueQuery({})).data}
      amountOf={(row) => centsFromWire(row.amount)}
      lineOf={lineOf}
      heads={[t('methodAndNumber'), t('amount')]}
      review={(review) => <WithdrawalReview key={review.row._id} {...review} />}
    />
  );
}
