import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { trouble } from '@/i18n/en/trouble';
import { usd } from '@/lib/money';
import { ActionButton } from './action-button';
import type { DealActions } from './actions';
import { useBalance } from './balance';
import { type DealView, isOwnMove } from './deal';
import { DepositLink } from './pay-move';

type Props = { view: DealView; actions: DealActions };

function PayBar({ view, actions }: Props) {
  const t = useTexts(deals);
  const balance = useBalance(view.price);
  const known = balance.state === 'known';
  const short = known && balance.missing > 0 && !actions.anyBusy;
  return (
    <>
      {known ? (
        <p>
          <span className="m t14">{t(actions.anyBusy ? 'move.payIn' : short ? 'move.missing' : 'move.after')}</span>
          <b className="b num">{usd(actions.anyBusy ? view.price : short ? balance.missing : balance.after)}</b>
        </p>
      ) : null}
      {short ? (
        <DepositLink missing={balance.missing} />
      ) : (
        <ActionButton action="pay" variant="seal" view={view} actions={actions} />
      )}
    </>
  );
}

function Inside({ view, actions }: Props) {
  const t = useTexts(deals);
  const tt = useTexts(trouble);
  if (view.move === 'pay') return <PayBar view={view} actions={actions} />;
  if (view.move === 'answer') {
    return (
      <>
        <p>
          <span className="m t14">{tt('ask.back', { name: view.other.username })}</span>
          <b className="b num">{usd(view.back)}</b>
        </p>
        <ActionButton action="accept" variant="ink" view={view} actions={actions} />
      </>
    );
  }
  if (view.move === 'agree' || view.move === 'deliver') {
    return (
      <>
        <p>
          <span className="m t14">{t('money.youGet')}</span>
          <b className="b num">{usd(view.payout)}</b>
        </p>
        <ActionButton action={view.move} variant="ink" view={view} actions={actions} />
      </>
    );
  }
  return (
    <>
      <p>
        <span className="m t14">{t('money.gets', { name: view.other.username })}</span>
        <b className="b num">{usd(view.payout)}</b>
      </p>
      <ActionButton action="release" variant="seal" view={view} actions={actions} />
    </>
  );
}

/** On a phone: the own move at the bottom of the screen, always in reach. Nothing where it is the other's turn, or nobody's. */
export function MoveBar({ view, actions }: Props) {
  if (!isOwnMove(view.next)) return null;
  return (
    <div data-slot="move-bar" className="bar">
      <div className="bar__in">
        <Inside view={view} actions={actions} />
      </div>
    </div>
  );
}
