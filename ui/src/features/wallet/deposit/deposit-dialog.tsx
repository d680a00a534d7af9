import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { DepositSubmitted } from '@/api/contract';
import { CODE, STACK } from '@/components/classes';
import { lazyPart } from '@/components/lazy-part';
import { Facts } from '@/components/section';
import { Button } from '@/components/ui/button';
import { depositQuery, Told, useWaitText } from '@/entities/wallet/deposits';
import { receiversQuery } from '@/entities/wallet/queries';
import { useTexts } from '@/i18n';
import { depositFollow } from '@/i18n/en/deposit';
import { wallet } from '@/i18n/en/wallet';
import { centsFromWire, usd } from '@/lib/money';
import ForDeal from '../follow/for-deal';
import { useHeadline } from '../follow/headline';
import { recentDepositsQuery } from '../queries';
import { type DoneProps, MoneyRequestDialog, type RequestDialog } from '../request/money-request-dialog';
import { depositRequest } from '../request/requests';
import type { DepositValues } from '../request/schemas';
import { METHODS } from '../wallet-search';

const loadForm = () => import('./deposit-form');

function Above() {
  const { deal } = useSearch({ strict: false });
  const { state } = useLocation();
  return deal ? <ForDeal id={deal} paid={state.fromDeal !== undefined} /> : null;
}

/** Of a deposit for a deal: the method used last, or else the first that takes money. */
function usePreset() {
  const { deal } = useSearch({ strict: false });
  const { data: recent } = useQuery(recentDepositsQuery);
  const { data: receivers } = useQuery(receiversQuery);
  if (!deal || !recent || !receivers) return undefined;
  const open = METHODS.filter((method) =>
    receivers.some((of) => of.paymentMethod === method && (of.number !== null || of.checkout)),
  );
  const last = recent.deposits[0]?.paymentMethod;
  return open.find((method) => method === last) ?? open[0];
}

/** The deposit as it is now: it may be credited within seconds. */
const useDeposit = ({ deposit }: DepositSubmitted) => useQuery(depositQuery(deposit._id)).data?.deposit ?? deposit;

/** The receipt's title, focused so that it is announced in place of the form. */
function ReceiptTitle({ answer }: Pick<DoneProps<DepositSubmitted>, 'answer'>) {
  const headline = useHeadline(useDeposit(answer));
  const heading = useRef<HTMLSpanElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <span ref={heading} tabIndex={-1} aria-live="polite" className="focus:outline-none">
      {headline}
    </span>
  );
}

/** Replaces the form of a reported deposit: what is checked, for how long, and links. */
function DepositReceipt({ answer, onClose }: DoneProps<DepositSubmitted>) {
  const t = useTexts(depositFollow);
  const tWallet = useTexts(wallet);
  const waitText = useWaitText();
  const deposit = useDeposit(answer);
  const credited = deposit.status === 'completed';
  return (
    <div data-slot="deposit-receipt" className={STACK}>
      {credited ? null : (
        <Facts
          rows={[
            [t('amount'), usd(centsFromWire(deposit.claimedAmount))],
            [
              tWallet('transactionId'),
              <span key="id" className={CODE}>
                {deposit.transactionId}
              </span>,
            ],
          ]}
        />
      )}
      {deposit.status === 'pending' ? (
        <div className="grid gap-1">
          <p className="font-semibold">{waitText(answer.wait, deposit)}</p>
          <Told />
          {deposit.disputed ? <p className="mt-1">{tWallet('disputed')}</p> : null}
        </div>
      ) : null}
      <div className="flex min-w-0 flex-wrap items-center gap-3">
        {credited ? null : (
          <Button className="max-xs:w-full" asChild>
            <Link to="/balance/deposits/$depositId" params={{ depositId: deposit._id }} replace>
              {t('follow')}
            </Link>
          </Button>
        )}
        <Button variant={credited ? 'default' : 'outline'} className="max-xs:w-full" onClick={onClose}>
          {t('done')}
        </Button>
      </div>
    </div>
  );
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
