import type { Counteroffer } from '@/api/contract';
import { STACK } from '@/components/classes';
import { Section } from '@/components/section';
import { useTexts } from '@/i18n';
import { counteroffer as catalogue } from '@/i18n/en/counteroffer';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import type { DealActions } from '../actions/use-deal-actions';
import type { DealView } from '../deal-view';
import { LimitNote } from '../limit-note';
import { ComparedTerms } from './compared-terms';
import { CounterofferButtons } from './counteroffer-buttons';

const DAY_MS = 86_400_000;

function Message({ title, text }: { title: string; text: string }) {
  return (
    <div className="min-w-0">
      <h3 className="text-sm text-muted-foreground">{title}</h3>
      <q className="mt-1 block max-w-measure overflow-clip whitespace-pre-line">{text}</q>
    </div>
  );
}

function Card({ view, actions, offer }: { view: DealView; actions: DealActions; offer: Counteroffer }) {
  const t = useTexts(catalogue);
  const now = useNow();
  const name = view.other.username;
  const own = offer.madeBy === view.deal[view.side]._id;
  const when = formatTime(now + offer.deliveryDuration * DAY_MS, 'moment');
  return (
    <Section title={own ? t('own') : t('title', { name })} className="mb-12">
      <div className="grid gap-x-12 gap-y-6 lg:grid-cols-[minmax(0,1fr)_344px]">
        <div className="grid min-w-0 content-start gap-4">
          <ComparedTerms view={view} offer={offer} />
          {offer.text ? <Message title={own ? t('ownMessage') : t('message', { name })} text={offer.text} /> : null}
        </div>
        <div className={STACK}>
          <p className="text-sm text-muted-foreground">{own ? t('waits', { name }) : t('ifAccepted', { when })}</p>
          <LimitNote error={actions.counteroffer.accept.error} />
          <CounterofferButtons view={view} actions={actions} offer={offer} />
        </div>
      </div>
    </Section>
  );
}

export function CounterofferCard({ view, actions }: { view: DealView; actions: DealActions }) {
  const { counteroffer: offer } = view.deal;
  return offer ? <Card view={view} actions={actions} offer={offer} /> : null;
}
