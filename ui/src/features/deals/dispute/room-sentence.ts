import { useTexts } from '@/i18n';
import { dispute as catalogue } from '@/i18n/en/dispute';
import { usd } from '@/lib/money';
import { type RoomView, sharesOf } from './room-view';

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
