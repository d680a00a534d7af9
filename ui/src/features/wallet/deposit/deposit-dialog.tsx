import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { DepositSubmitted } from '@/api/contract';
import { lazyPart } from '@/components/lazy-part';
import ForDeal from '../follow/for-deal';
import { recentDepositsQuery } from '../queries';
import { MoneyRequestDialog, type RequestDialog } from '../request/money-request-dialog';
import { depositRequest } from '../request/requests';
import type { DepositValues } from '../request/schemas';
import { DepositReceipt, ReceiptTitle } from './deposit-receipt';

const loadForm = () => import('./deposit-form');

function Above() {
  const { deal } = useSearch({ strict: false });
  return deal ? <ForDeal id={deal} /> : null;
}

const DIALOG: RequestDialog<DepositValues, DepositSubmitted> = {
  path: '/deposit',
  name: 'deposit',
  request: depositRequest,
  useLast: () => useQuery(recentDepositsQuery).data?.deposits[0]?.paymentMethod,
  Above,
  load: loadForm,
  Form: lazyPart(loadForm),
  done: { Title: ReceiptTitle, Receipt: DepositReceipt },
};

export function DepositDialog() {
  return <MoneyRequestDialog dialog={DIALOG} />;
}
