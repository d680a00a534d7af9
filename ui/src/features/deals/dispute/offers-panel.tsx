import { Handshake } from 'lucide-react';
import type { DisputeOffer } from '@/api/contract';
import { PendingButton } from '@/components/pending-button';
import { Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { SplitFacts } from '@/entities/deal/dispute/split-facts';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { dispute as catalogue } from '@/i18n/en/dispute';
import { usd } from '@/lib/money';
import { type RoomView, sharesOf } from './room-view';
import type { DisputeActions } from './use-dispute-actions';

type Props = { view: RoomView; actions: DisputeActions };

function Theirs({ view, actions, offer }: Props & { offer: DisputeOffer }) {
  const t = useTexts(catalogue);
  const tCommon = useTexts(common);
  const { own, split } = sharesOf(offer, view.side);
  return (
    <div className="grid gap-3">
      <h3 className="font-semibold">{t('offer.theirs', { name: view.other })}</h3>
      <SplitFacts split={split} names={view.names} />
      <PendingButton
        variant="seal"
        className="w-full"
        pending={actions.paying}
        pendingText={tCommon('processing')}
        disabled={actions.anyBusy && !actions.paying}
        onClick={() => actions.ask({ what: 'acceptOffer', offer })}
      >
        {own > 0 ? t('offer.accept', { sum: usd(own) }) : t('offer.acceptNothing')}
      </PendingButton>
    </div>
  );
}

function Own({ view, actions, offer }: Props & { offer: DisputeOffer }) {
  const t = useTexts(catalogue);
  return (
    <div className="grid gap-3">
      <h3 className="font-semibold">{t('offer.own')}</h3>
      <SplitFacts split={sharesOf(offer, view.side).split} names={view.names} />
      <p className="text-sm text-muted-foreground">{t('offer.ownText', { name: view.other })}</p>
      <Button variant="outline" disabled={actions.anyBusy} onClick={() => actions.ask({ what: 'withdraw', offer })}>
        {t('offer.withdraw')}
      </Button>
    </div>
  );
}

export function OffersPanel({ view, actions }: Props) {
  const t = useTexts(catalogue);
  const { own, theirs } = view;
  return (
    <Section title={t('offers.title')} size="small">
      <div className="grid gap-6">
        {theirs ? <Theirs view={view} actions={actions} offer={theirs} /> : null}
        {own ? <Own view={view} actions={actions} offer={own} /> : null}
        <div className="grid gap-2">
          <Button variant="outline" disabled={actions.anyBusy} onClick={() => actions.ask({ what: 'offer' })}>
            <Handshake aria-hidden="true" />
            {t(own || theirs ? 'offer.change' : 'offer.make')}
          </Button>
          <p className="text-sm text-muted-foreground">{t('offers.lede')}</p>
        </div>
      </div>
    </Section>
  );
}
