import { Note } from '@/components/khata/note';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { usd } from '@/lib/money';
import { ActionButton } from './action-button';
import type { DealActions } from './actions';
import { type DealView, isOpen } from './deal';
import { MoveButtons } from './move-buttons';
import { PayMove } from './pay-move';

type Props = { view: DealView; actions: DealActions };

/** The seller's move on a deal that the buyer made: accept it, or say no. Once it is paid, delivering accepts it, too. */
export function Agree({ view, actions }: Props) {
  const t = useTexts(deals);
  const paid = isOpen(view.deal.status);
  const params = { name: view.other.username, sum: usd(view.price) };
  return (
    <>
      <MoveButtons>
        <ActionButton action="agree" primary view={view} actions={actions} className="w-full" />
        {paid ? <ActionButton action="deliver" variant="outline" view={view} actions={actions} className="w-full" /> : null}
        <ActionButton action={paid ? 'giveBack' : 'remove'} variant="outline" view={view} actions={actions} className="w-full" />
      </MoveButtons>
      <p className="text-sm text-muted-foreground">{t(paid ? 'move.agreePaid' : 'move.agree', params)}</p>
    </>
  );
}

/** The buyer waits for the seller's word, and may pay before. */
export function WaitAgree({ view, actions }: Props) {
  const t = useTexts(deals);
  return (
    <>
      <Note kind="wait" className="mt-4">
        {t('move.waitAgree', { name: view.other.username })}
      </Note>
      <PayMove view={view} actions={actions} early />
    </>
  );
}
