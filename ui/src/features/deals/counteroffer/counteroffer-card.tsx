import type { ComponentProps, ReactNode } from 'react';
import type { Counteroffer } from '@/api/contract';
import { STACK } from '@/components/classes';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Table, TableBody, TableCaption, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { useTexts } from '@/i18n';
import { counteroffer as catalogue } from '@/i18n/en/deal-page';
import { deals } from '@/i18n/en/deals';
import { centsFromWire, usd } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import type { DealActions } from '../actions/use-deal-actions';
import { ActionButton, ButtonStack } from '../actions/use-deal-actions';
import type { DealView } from '../deal-view';
import { LimitNote } from '../failures';
import { mayPropose } from './use-counteroffer';
import { type Piece, wordDiff } from './word-diff';

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
  const { isPending, run } = actions.counteroffer[what];
  return <PendingButton pending={isPending} disabled={actions.anyBusy && !isPending} onClick={() => run(offer._id)} {...props} />;
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
function CounterofferButtons({ view, actions, offer }: OfferProps) {
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

/** Why nothing can be paid or accepted, and the way out of the deal. */
export function CounterofferPanel({ view, actions }: { view: DealView; actions: DealActions }) {
  const t = useTexts(catalogue);
  const own = view.move === 'waitCounter';
  return (
    <>
      <Note kind="wait" className="mt-4">
        {own ? t('move.wait', { name: view.other.username }) : t('move.answer')}
      </Note>
      <ButtonStack>
        <ActionButton action="remove" variant="outline" view={view} actions={actions} className="w-full" />
      </ButtonStack>
    </>
  );
}

function Old({ children }: { children: ReactNode }) {
  return <del className="text-muted-foreground">{children}</del>;
}

function New({ children }: { children: ReactNode }) {
  return <ins className="bg-pen-tint box-decoration-clone px-1 font-semibold no-underline">{children}</ins>;
}

type RowProps = { label: string; now: string; proposed: string };

function Row({ label, now, proposed }: RowProps) {
  const same = now === proposed;
  return (
    <TableRow>
      <th scope="row" className="border-b py-2.5 pr-3 text-start font-normal text-muted-foreground in-[tbody>tr:hover]:bg-muted">
        {label}
      </th>
      <TableCell className="py-2.5 tabular-nums">{same ? now : <Old>{now}</Old>}</TableCell>
      <TableCell className="py-2.5 tabular-nums">{same ? proposed : <New>{proposed}</New>}</TableCell>
    </TableRow>
  );
}

type TextProps = { title: string; pieces: readonly Piece[]; mark: typeof Old };

function Description({ title, pieces, mark: Mark }: TextProps) {
  return (
    <div className="min-w-0">
      <h3 className="text-sm text-muted-foreground">{title}</h3>
      <p className="mt-1 max-w-measure overflow-clip whitespace-pre-line">
        {pieces.map(({ text, changed }, index) => (changed ? <Mark key={index}>{text}</Mark> : text))}
      </p>
    </div>
  );
}

function Descriptions({ now, proposed }: { now: string; proposed: string }) {
  const t = useTexts(catalogue);
  if (now === proposed) return <p className="text-sm text-muted-foreground">{t('description.same')}</p>;
  const { before, after } = wordDiff(now, proposed);
  return (
    <div className="grid gap-x-8 gap-y-4 md:grid-cols-2">
      <Description title={t('description.now')} pieces={before} mark={Old} />
      <Description title={t('description.proposed')} pieces={after} mark={New} />
    </div>
  );
}

function ComparedTerms({ view: { deal, side }, offer }: { view: DealView; offer: Counteroffer }) {
  const t = useTexts(catalogue);
  const tDeals = useTexts(deals);
  const days = (count: number) => t('days', { count });
  const sum = (wire: number) => usd(centsFromWire(wire));
  return (
    <div className="grid min-w-0 gap-4">
      <Table>
        <TableCaption className="sr-only">{t('table')}</TableCaption>
        <TableHeader>
          <TableRow>
            <TableHead scope="col">
              <span className="sr-only">{t('term')}</span>
            </TableHead>
            <TableHead scope="col">{t('now')}</TableHead>
            <TableHead scope="col">{t('proposed')}</TableHead>
          </TableRow>
        </TableHeader>
        <TableBody>
          <Row label={tDeals('price.label')} now={sum(deal.price)} proposed={sum(offer.price)} />
          {side === 'seller' ? <Row label={tDeals('money.youGet')} now={sum(deal.payout)} proposed={sum(offer.payout)} /> : null}
          <Row label={t('delivery')} now={days(deal.deliveryDuration)} proposed={days(offer.deliveryDuration)} />
          <Row label={tDeals('check.label')} now={days(deal.inspectionDays)} proposed={days(offer.inspectionDays)} />
        </TableBody>
      </Table>
      <Descriptions now={deal.description} proposed={offer.description} />
    </div>
  );
}

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
