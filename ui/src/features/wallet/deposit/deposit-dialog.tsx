import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { DepositSubmitted } from '@/api/contract';
import { lazyPart } from '@/components/lazy-part';
import ForDeal from '../follow/for-deal';
import { receiversQuery, recentDepositsQuery } from '../queries';
import { MoneyRequestDialog, type RequestDialog } from '../request/money-request-dialog';
import { depositRequest } from '../request/requests';
import type { DepositValues } from '../request/schemas';
import { METHODS } from '../wallet-search';
import { DepositReceipt, ReceiptTitle } from './deposit-receipt';

const loadForm = () => import('./deposit-form');

function Above() {
  const { deal } = useSearch({ strict: false });
  return deal ? <ForDeal id={deal} /> : null;
}

/** Of a deposit for a deal: the method used last, or else the first that has a number. */
function usePreset() {
  const { deal } = useSearch({ strict: false });
  const { data: recent } = useQuery(recentDepositsQuery);
  const { data: receivers } = useQuery(receiversQuery);
  if (!deal || !recent || !receivers) return undefined;
  const open = METHODS.filter((method) => receivers.some(({ paymentMethod, number }) => paymentMethod === method && number));
  const last = recent.deposits[0]?.paymentMethod;
  return open.find((method) => method === last) ?? open[0];
}

const DIALOG: RequestDialog<DepositValues, DepositSubmitted> = {
  path: '/deposit',
  name: 'deposit',
  request: depositRequest,
  useLast: () => useQuery(recentDepositsQuery).data?.deposits[0]?.paymentMethod,
  usePreset,
  Above,
  load: loadForm,
  Form: lazyPart(loadForm),
  done: { Title: ReceiptTitle, Receipt: DepositReceipt },
};

export function DepositDialog() {
  return <MoneyRequestDialog dialog={DIALOG} />;
}
