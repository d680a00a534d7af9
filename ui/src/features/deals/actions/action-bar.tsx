import type { ReactNode } from 'react';
import type { Counteroffer } from '@/api/contract';
import { disputeTurnOf, isOwnMove } from '@/entities/deal/rules';
import { useWaitText } from '@/entities/wallet/deposits';
import { useTexts } from '@/i18n';
import { checking } from '@/i18n/en/balance';
import { trouble } from '@/i18n/en/deal-page';
import { deals } from '@/i18n/en/deals';
import { centsFromWire, usd } from '@/lib/money';
import { AcceptButton } from '../counteroffer/counteroffer-card';
import { type DealView, mayPay } from '../deal-view';
import { ToDispute } from '../dispute/dispute-banner';
import { BottomBar } from './bottom-bar';
import { DepositLink, isChecked, PayButton, useFunds } from './pay-panel';
import type { DealActions } from './use-deal-actions';
import { ActionButton } from './use-deal-actions';

type Props = { view: DealView; actions: DealActions };

const BUTTON = 'order-1 min-h-13 flex-[1_0_auto] ps-4 pe-4.5 whitespace-nowrap';

function Sum({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <p className="order-2 grid min-w-0 flex-[999_0_auto] leading-[1.3] whitespace-nowrap">
      <span className="text-sm/[1.3] text-muted-foreground">{label}</span>
      <b className="font-semibold lining-nums tabular-nums">{children}</b>
    </p>
  );
}

function PayBar({ view, actions }: Props) {
  const t = useTexts(deals);
  const tChecking = useTexts(checking);
  const waitText = useWaitText();
  const funds = useFunds(view);
  const known = funds.state === 'known' && !actions.anyBusy ? funds : null;
  if (known && isChecked(known)) {
    const { sum, wait, deposit } = known.checked;
    return (
      <p className="w-full leading-[1.3]">
        <b className="font-semibold">{tChecking('is', { sum: usd(sum) })}</b>
        <span className="block text-sm/[1.3] text-muted-foreground">{waitText(wait, deposit)}</span>
      </p>
    );
  }
  const short = known !== null && known.missing > 0;
  return (
    <>
      {actions.anyBusy ? <Sum label={t('move.payIn')}>{usd(view.price)}</Sum> : null}
      {known ? <Sum label={t(short ? 'move.missing' : 'move.after')}>{usd(short ? known.missing : known.after)}</Sum> : null}
      {short ? (
        <DepositLink missing={known.missing} view={view} className={BUTTON} />
      ) : (
        <PayButton className={BUTTON} view={view} actions={actions} />
      )}
    </>
  );
}

function CounterofferBar({ view, actions, offer }: Props & { offer: Counteroffer }) {
  const t = useTexts(deals);
  const buying = view.side === 'buyer';
  return (
    <>
      <Sum label={t(buying ? 'money.youPay' : 'money.youGet')}>{usd(centsFromWire(buying ? offer.price : offer.payout))}</Sum>
      <AcceptButton view={view} actions={actions} offer={offer} className={BUTTON} />
    </>
  );
}

function Inside({ view, actions }: Props) {
  const t = useTexts(deals);
  const tTrouble = useTexts(trouble);
  if (disputeTurnOf(view.deal, view.side) !== null) return <ToDispute view={view} inBar className={BUTTON} />;
  if (mayPay(view)) return <PayBar view={view} actions={actions} />;
  const { counteroffer: offer } = view.deal;
  if (view.move === 'answerCounter' && offer) return <CounterofferBar view={view} actions={actions} offer={offer} />;
  if (view.move === 'answer') {
    return (
      <>
        <Sum label={tTrouble('ask.back', { name: view.other.username })}>{usd(view.back)}</Sum>
        <ActionButton action="accept" className={BUTTON} view={view} actions={actions} />
      </>
    );
  }
  if (view.move === 'agree' || view.move === 'deliver') {
    return (
      <>
        <Sum label={t('money.youGet')}>{usd(view.payout)}</Sum>
        <ActionButton action={view.move} className={BUTTON} view={view} actions={actions} />
      </>
    );
  }
  if (view.move === 'receive') return <ActionButton action="arrived" className={BUTTON} view={view} actions={actions} />;
  return (
    <>
      <Sum label={t('money.gets', { name: view.other.username })}>{usd(view.payout)}</Sum>
      <ActionButton action="release" variant="seal" className={BUTTON} view={view} actions={actions} />
    </>
  );
}

export function ActionBar({ view, actions }: Props) {
  const { deal, side, next } = view;
  if (!isOwnMove(next) && !mayPay(view) && disputeTurnOf(deal, side) === null) return null;
  return (
    <BottomBar>
      <Inside view={view} actions={actions} />
    </BottomBar>
  );
}
