import { type Ref, useId } from 'react';
import { Note } from '@/components/note';
import { isOwnTurn, wasTakenBack } from '@/entities/deal/rules';
import { isOpen } from '@/entities/deal/status';
import { useTexts } from '@/i18n';
import { disputeBanner, trouble } from '@/i18n/en/deal-page';
import { deals } from '@/i18n/en/deals';
import { usd } from '@/lib/money';
import { CounterofferPanel, ProposeButton } from '../counteroffer/counteroffer-card';
import type { DealView } from '../deal-view';
import { DisputeBanner, FormerDispute } from '../dispute/dispute-banner';
import { TroubleButton } from '../trouble/trouble-button';
import { ClosedPanel } from './closed-panel';
import { Deadline, Expiry } from './deadline';
import { PayPanel } from './pay-panel';
import type { DealActions } from './use-deal-actions';
import { ActionButton, ButtonStack } from './use-deal-actions';

type Props = { view: DealView; actions: DealActions };

/** The seller accepts or declines. Delivering a paid deal accepts it, too. */
function AcceptPanel({ view, actions }: Props) {
  const t = useTexts(deals);
  const paid = isOpen(view.deal.status);
  const params = { name: view.other.username, sum: usd(view.price) };
  return (
    <>
      <ButtonStack>
        <ActionButton action="agree" primary view={view} actions={actions} className="w-full" />
        {paid ? <ActionButton action="deliver" variant="outline" view={view} actions={actions} className="w-full" /> : null}
        <ProposeButton view={view} actions={actions} />
        <ActionButton action={paid ? 'giveBack' : 'remove'} variant="outline" view={view} actions={actions} className="w-full" />
      </ButtonStack>
      <p className="text-sm text-muted-foreground">{t(paid ? 'move.agreePaid' : 'move.agree', params)}</p>
    </>
  );
}

function Answer({ view, actions }: Props) {
  const t = useTexts(trouble);
  return (
    <>
      <p className="text-muted-foreground">{t('move.answer', { name: view.other.username, back: usd(view.back) })}</p>
      <ButtonStack>
        <ActionButton action="accept" primary view={view} actions={actions} className="w-full" />
        <ActionButton action="refuse" variant="outline" view={view} actions={actions} className="w-full" />
      </ButtonStack>
    </>
  );
}

/** The buyer waits. They can release at any time, and leave a late deal. */
function Waiting({ view, actions }: Props) {
  const t = useTexts(deals);
  const tTrouble = useTexts(trouble);
  const tDisputeBanner = useTexts(disputeBanner);
  const name = view.other.username;
  const text = () => {
    if (view.disputeId !== null && !view.leavable) return tDisputeBanner('releaseText');
    if (view.leavable) return tTrouble(view.sellerGone ? 'move.leaveSuspended' : 'move.leave', { name, sum: usd(view.price) });
    if (view.move === 'waitAgree') return t('move.waitAgreePaid', { name, sum: usd(view.price) });
    if (view.move === 'waitAnswer') return tTrouble('move.waitAnswer', { name, back: usd(view.back) });
    return wasTakenBack(view.deal) ? tTrouble('move.again', { name }) : t('move.waitDelivery', { name });
  };
  return (
    <>
      <ButtonStack>
        {view.leavable ? <ActionButton action="leave" view={view} actions={actions} className="w-full" /> : null}
        <ActionButton action="release" variant="outline" view={view} actions={actions} className="w-full" />
      </ButtonStack>
      <p className="text-sm text-muted-foreground">{text()}</p>
    </>
  );
}

/** During a dispute, the release does not stand out. */
function Disputed({ view, actions }: Props) {
  const t = useTexts(disputeBanner);
  return (
    <>
      <ButtonStack>
        <ActionButton action="release" variant="outline" view={view} actions={actions} className="w-full" />
      </ButtonStack>
      <p className="text-sm text-muted-foreground">{t('releaseText')}</p>
    </>
  );
}

/** Nobody could deliver after a payment. */
function NotPayable({ view, actions }: Props) {
  const t = useTexts(trouble);
  return (
    <>
      <Note kind="wait" className="mt-4">
        {t('move.notPayable', { name: view.other.username })}
      </Note>
      <ButtonStack>
        <ActionButton action="remove" variant="outline" view={view} actions={actions} className="w-full" />
      </ButtonStack>
    </>
  );
}

function Body({ view, actions, onReview }: Props & { onReview: () => void }) {
  const t = useTexts(deals);
  const name = view.other.username;
  const pending = view.deal.status === 'Pending';
  switch (view.move) {
    case 'agree':
      return <AcceptPanel view={view} actions={actions} />;
    case 'waitAgree':
      return pending ? <PayPanel view={view} actions={actions} early /> : <Waiting view={view} actions={actions} />;
    case 'pay':
      return <PayPanel view={view} actions={actions} />;
    case 'blocked':
      return <NotPayable view={view} actions={actions} />;
    case 'waitPay':
      return (
        <>
          <p className="text-muted-foreground">{t('move.waitPay', { name })}</p>
          <ButtonStack>
            <ProposeButton view={view} actions={actions} />
            <ActionButton action="remove" variant="outline" view={view} actions={actions} className="w-full" />
          </ButtonStack>
        </>
      );
    case 'answerCounter':
    case 'waitCounter':
      return <CounterofferPanel view={view} actions={actions} />;
    case 'deliver':
      return (
        <>
          <ButtonStack>
            <ActionButton action="deliver" primary view={view} actions={actions} className="w-full" />
          </ButtonStack>
          <p className="text-sm text-muted-foreground">{t('move.deliver', { name })}</p>
        </>
      );
    case 'answer':
      if (view.ruled) return null;
      return <Answer view={view} actions={actions} />;
    case 'waitDelivery':
    case 'waitAnswer':
      return <Waiting view={view} actions={actions} />;
    case 'check':
      if (view.disputeId !== null) return <Disputed view={view} actions={actions} />;
      return (
        <>
          <p className="text-muted-foreground">{t('move.check')}</p>
          <ButtonStack>
            <ActionButton action="release" variant="seal" primary view={view} actions={actions} className="w-full" />
          </ButtonStack>
        </>
      );
    case 'waitCheck':
      return <p className="text-muted-foreground">{t('move.waitCheck', { name, payout: usd(view.payout) })}</p>;
    case 'closed':
      return <ClosedPanel view={view} onReview={onReview} />;
  }
}

function Declined({ view: { deal, side } }: { view: DealView }) {
  const t = useTexts(trouble);
  if (side === 'seller' || !isOpen(deal.status) || !deal.cancellationDeclined) return null;
  return (
    <Note kind="info" className="mt-4">
      {t('declined')}
    </Note>
  );
}

/** "Your move": what the reader can do now. One action stands out; on a phone it is in the bar. */
export function ActionPanel({
  view,
  actions,
  onReview,
  headingRef,
}: Props & { onReview: () => void; headingRef: Ref<HTMLHeadingElement> }) {
  const t = useTexts(deals);
  const tDisputeBanner = useTexts(disputeBanner);
  const id = useId();
  const { dispute } = view.deal;
  const title = () => {
    if (view.move === 'closed') return t('move.done');
    if (view.disputeId !== null) return tDisputeBanner('title');
    if (view.next === 'blocked' || view.next === 'held') return t('move.held');
    return isOwnTurn(view.next) ? t('move.yours') : t('move.theirs', { name: view.other.username });
  };
  return (
    <section
      className="min-w-0 border-t-2 border-foreground pt-3 max-lg:-order-1 [&>[data-slot=clock]+p]:mt-3 [&>[data-slot=move-buttons]+[data-slot=trouble]]:mt-2 [&>h2+p]:mt-2"
      aria-labelledby={id}
    >
      <h2 className="font-display text-display-sm focus:outline-none" id={id} ref={headingRef} tabIndex={-1}>
        {title()}
      </h2>
      {view.deal.operation && view.side === 'seller' ? (
        <Note kind="wait" className="mt-4">
          {t('move.processing')}
        </Note>
      ) : null}
      {view.disputeId === null ? null : <DisputeBanner id={view.disputeId} />}
      <Declined view={view} />
      <Deadline view={view} />
      <Body view={view} actions={actions} onReview={onReview} />
      {dispute && view.disputeId === null ? <FormerDispute id={dispute._id} /> : null}
      <Expiry view={view} />
      <TroubleButton view={view} actions={actions} />
    </section>
  );
}
