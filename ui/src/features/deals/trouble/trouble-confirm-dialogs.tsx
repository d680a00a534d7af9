import { Note } from '@/components/note';
import { Facts } from '@/components/section';
import { Strip } from '@/entities/deal/khata/strip';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { trouble } from '@/i18n/en/trouble';
import { usd } from '@/lib/money';
import { ConfirmButtons, ConfirmContent, type ConfirmProps } from '../actions/confirm-dialog';
import type { DealView } from '../deal-view';

/** Price, fee, and what the buyer gets back of it. */
function BackSums({ view, fee }: { view: DealView; fee: number }) {
  const t = useTexts(trouble);
  const back = view.side === 'buyer' ? t('ask.youBack') : t('ask.back', { name: view.other.username });
  return (
    <div className="mt-4">
      <Facts
        rows={[
          [t('ask.price'), usd(view.price)],
          [fee > 0 ? t('ask.fee') : t('ask.noFee'), fee > 0 ? usd(-fee) : usd(0)],
        ]}
        total={[back, usd(view.price - fee)]}
      />
    </div>
  );
}

function Left({ view }: { view: DealView }) {
  const t = useTexts(trouble);
  return <p className="mt-4 text-sm text-muted-foreground">{t('left', { count: view.deal.requestsLeft })}</p>;
}

export function ConfirmReset({ view, actions }: ConfirmProps) {
  const t = useTexts(trouble);
  const d = useTexts(deals);
  const name = view.other.username;
  return (
    <ConfirmContent title={t('ask.reset', { name })} text={t('ask.resetText', { name })}>
      <Note kind="info" className="mt-4">
        {t('ask.resetHow', { name })}
      </Note>
      <Left view={view} />
      <ConfirmButtons action="reset" view={view} actions={actions} no={d('act.notYet')} />
    </ConfirmContent>
  );
}

export function ConfirmRequest({ view, actions }: ConfirmProps) {
  const t = useTexts(trouble);
  const d = useTexts(deals);
  const { deal, other, fee } = view;
  const name = other.username;
  // What was delivered once is not decided by the clock.
  const text = t(deal.exitAt === null ? 'ask.requestTextOnce' : 'ask.requestText', { name });
  return (
    <ConfirmContent title={t('ask.request', { name })} text={text}>
      <BackSums view={view} fee={fee} />
      {deal.status === 'Delivered' ? (
        <Note kind="info" className="mt-4">
          {t('ask.takesBack')}
        </Note>
      ) : null}
      <Left view={view} />
      <ConfirmButtons action="request" view={view} actions={actions} no={d('act.keep')} />
    </ConfirmContent>
  );
}

export function ConfirmLeave({ view, actions }: ConfirmProps) {
  const t = useTexts(trouble);
  const d = useTexts(deals);
  const sum = usd(view.price);
  return (
    <ConfirmContent title={t(view.sellerGone ? 'ask.giveUp' : 'ask.leave')} text={t('ask.leaveText', { sum })}>
      <BackSums view={view} fee={0} />
      <Strip holder="buyer" returned className="mt-2">
        {sum}
      </Strip>
      <ConfirmButtons action="leave" view={view} actions={actions} no={d('act.keep')} />
    </ConfirmContent>
  );
}

export function ConfirmAccept({ view, actions }: ConfirmProps) {
  const t = useTexts(trouble);
  const d = useTexts(deals);
  const back = usd(view.back);
  return (
    <ConfirmContent title={t('ask.accept')} text={t('ask.acceptText', { name: view.other.username, back })}>
      <BackSums view={view} fee={view.price - view.back} />
      <Strip holder="buyer" returned className="mt-2">
        {back}
      </Strip>
      <ConfirmButtons action="accept" view={view} actions={actions} no={d('act.notYet')} />
    </ConfirmContent>
  );
}

export function ConfirmRefuse({ view, actions }: ConfirmProps) {
  const t = useTexts(trouble);
  const d = useTexts(deals);
  return (
    <ConfirmContent title={t('ask.refuse')} text={t('ask.refuseText', { name: view.other.username })}>
      <ConfirmButtons action="refuse" view={view} actions={actions} no={d('act.notYet')} />
    </ConfirmContent>
  );
}

export function ConfirmGiveUp({ view, actions }: ConfirmProps) {
  const t = useTexts(trouble);
  const d = useTexts(deals);
  const sum = usd(view.price);
  return (
    <ConfirmContent title={t('ask.giveUp')} text={t('ask.giveUpText', { name: view.other.username, sum })}>
      <BackSums view={view} fee={0} />
      <Strip holder="buyer" returned className="mt-2">
        {sum}
      </Strip>
      <ConfirmButtons action="giveUp" view={view} actions={actions} no={d('act.keep')} />
    </ConfirmContent>
  );
}
