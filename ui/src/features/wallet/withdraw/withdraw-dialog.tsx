import { useQuery } from '@tanstack/react-query';
import type { WithdrawalSubmitted } from '@/api/contract';
import { lazyPart } from '@/components/lazy-part';
import { lastWithdrawalQuery } from '../queries';
import { MoneyRequestDialog, type RequestDialog } from '../request/money-request-dialog';
import { withdrawRequest } from '../request/requests';
import type { WithdrawValues } from '../request/schemas';
import { ReceiptTitle, WithdrawalReceipt } from './withdrawal-receipt';

const loadForm = () => import('./withdraw-form');

const DIALOG: RequestDialog<WithdrawValues, WithdrawalSubmitted> = {
  path: '/withdraw',
  name: 'withdraw',
  request: withdrawRequest,
  useLast: () => useQuery(lastWithdrawalQuery).data?.withdrawals[0]?.paymentMethod,
  load: loadForm,
  Form: lazyPart(loadForm),
  done: { Title: ReceiptTitle, Receipt: WithdrawalReceipt },
};

export function WithdrawDialog() {
  return <MoneyRequestDialog dialog={DIALOG} />;
}
