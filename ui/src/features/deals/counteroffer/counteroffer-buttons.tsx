import type { ComponentProps } from 'react';
import type { Counteroffer } from '@/api/contract';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { counteroffer as catalogue } from '@/i18n/en/counteroffer';
import { centsFromWire, usd } from '@/lib/money';
import type { DealActions } from '../actions/use-deal-actions';
import type { DealView } from '../deal-view';
import { mayPropose } from './use-counteroffer';

type Props = { view: DealView; actions: DealActions };

export function ProposeButton({ view, actions }: Props) {
  const t = useTexts(catalogue);
  if (!mayPropose(view)) return null;
  return (
    <Button
      data-slot="propose"
      variant="outline"
      className="w-full"
      disabled={actions.anyBusy}
      onClick={() => actions.ask('terms')}
    >
      {t('propose')}
    </Button>
  );
}

type AnswerProps = Pick<ComponentProps<typeof PendingButton>, 'variant' | 'className' | 'children'> & {
  what: 'accept' | 'decline' | 'withdraw';
  offer: Counteroffer;
  actions: DealActions;
};

/** Answers at once, since no money moves and terms can be proposed again. */
function AnswerButton({ what, offer, actions, ...props }: AnswerProps) {
  const t = useTexts(common);
  const { isPending, run } = actions.counteroffer[what];
  return (
    <PendingButton
      pending={isPending}
      pendingText={t('sending')}
      disabled={actions.anyBusy && !isPending}
      onClick={() => run(offer._id)}
      {...props}
    />
  );
}

type OfferProps = Props & { offer: Counteroffer };

/** The buyer's button shows the new price. */
export function AcceptButton({ view, actions, offer, className }: OfferProps & { className: string }) {
  const t = useTexts(catalogue);
  return (
    <AnswerButton what="accept" offer={offer} actions={actions} className={className}>
      {view.side === 'buyer' ? t('acceptSum', { sum: usd(centsFromWire(offer.price)) }) : t('accept')}
    </AnswerButton>
  );
}

/** The answers to a counter-offer. On a phone, accepting is in the bar. */
export function CounterofferButtons({ view, actions, offer }: OfferProps) {
  const t = useTexts(catalogue);
  const own = view.move === 'waitCounter';
  return (
    <div className="grid min-w-0 gap-2 *:min-w-0">
      {view.move === 'answerCounter' ? (
        <AcceptButton view={view} actions={actions} offer={offer} className="w-full max-lg:hidden" />
      ) : null}
      <ProposeButton view={view} actions={actions} />
      <AnswerButton what={own ? 'withdraw' : 'decline'} variant="outline" className="w-full" offer={offer} actions={actions}>
        {t(own ? 'withdraw' : 'decline')}
      </AnswerButton>
    </div>
  );
}
