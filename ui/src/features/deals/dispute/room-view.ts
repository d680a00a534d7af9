import type { DealDispute, DisputeOffer } from '@/api/contract';
import type { Names } from '@/entities/deal/dispute/split';
import { type Split, splitFromWire } from '@/entities/deal/dispute/split';
import type { Side } from '@/entities/deal/rules';
import { isRunning } from '@/entities/deal/status';
import { useTexts } from '@/i18n';
import { dispute as catalogue } from '@/i18n/en/disputes';
import { type Cents, centsFromWire, usd } from '@/lib/money';
import { mayAccept, openOffer } from './use-dispute-actions';

type Turn = 'answer' | 'offer' | 'decision' | 'waitAnswer' | 'waitAmanat' | 'waitOther' | 'over';

export type RoomView = {
  dispute: DealDispute;
  side: Side;
  otherSide: Side;
  other: string;
  names: Names;
  price: Cents;
  running: boolean;
  opener: boolean;
  turn: Turn;
  own: DisputeOffer | undefined;
  theirs: DisputeOffer | undefined;
};

function turnOf(dispute: DealDispute, side: Side, theirs: DisputeOffer | undefined): Turn {
  const opener = dispute.openedBy === side;
  if (!isRunning(dispute.status)) return 'over';
  if (mayAccept(dispute, side)) return 'decision';
  if (dispute.status === 'decided') return 'waitOther';
  if (dispute.status === 'appealed') return 'waitAmanat';
  if (theirs) return 'offer';
  if (dispute.answeredAt !== null) return 'waitAmanat';
  return opener ? 'waitAnswer' : 'answer';
}

export const ANSWER = 'answer';

/** Reports whether the reader's answer is missing. It can be given until the decision. */
export const owesAnswer = ({ dispute, opener }: RoomView): boolean =>
  dispute.status === 'open' && !opener && dispute.answeredAt === null;

export function roomViewOf(dispute: DealDispute, me: string): RoomView {
  const side: Side = dispute.buyer._id === me ? 'buyer' : 'seller';
  const otherSide: Side = side === 'buyer' ? 'seller' : 'buyer';
  const other = dispute[otherSide].username;
  const theirs = openOffer(dispute, otherSide);
  return {
    dispute,
    side,
    otherSide,
    other,
    names: { buyer: side === 'buyer' ? null : other, seller: side === 'seller' ? null : other },
    price: centsFromWire(dispute.deal.price),
    running: isRunning(dispute.status),
    opener: dispute.openedBy === side,
    turn: turnOf(dispute, side, theirs),
    own: openOffer(dispute, side),
    theirs,
  };
}

export function sharesOf(
  split: { buyerGets: number; sellerGets: number; fee: number },
  side: Side,
): { own: Cents; other: Cents; split: Split } {
  const cents = splitFromWire(split);
  return { own: cents[side], other: cents[side === 'buyer' ? 'seller' : 'buyer'], split: cents };
}

/** The split of a settled dispute: the executed decision or the accepted offer. */
function settledBy({ dispute }: RoomView) {
  const accepted = dispute.offers.find(({ status }) => status === 'accepted');
  return accepted ?? (dispute.decision?.carriedOutAt ? dispute.decision : null);
}

/** The status and the next step. Without a clock, because changes are announced. */
export function useRoomSentence(view: RoomView): string {
  const t = useTexts(catalogue);
  const { dispute, side, other, turn } = view;
  const params = { name: other };
  if (dispute.operation) return t('say.paying');
  if (dispute.status === 'settled') {
    const by = settledBy(view);
    if (by === null) return t('say.settledPlain');
    const shares = sharesOf(by, side);
    return t('say.settled', { ...params, own: usd(shares.own), other: usd(shares.other) });
  }
  if (dispute.status === 'closed') return t('say.closed');
  if (dispute.status === 'appealed') return t('say.appealed');
  if (turn === 'over') return t('say.closed');
  if (dispute.decision?.final) return t('say.decisionFinal');
  if (turn === 'decision' && !dispute.canAppeal) return t('say.waitOtherPlain');
  return t(`say.${turn}`, params);
}
