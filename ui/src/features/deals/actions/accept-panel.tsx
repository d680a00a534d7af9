import { Note } from '@/components/note';
import { isOpen } from '@/entities/deal/status';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { usd } from '@/lib/money';
import { ProposeButton } from '../counteroffer/counteroffer-buttons';
import type { DealView } from '../deal-view';
import { ActionButton } from './action-button';
import { ButtonStack } from './button-stack';
import { PayPanel } from './pay-panel';
import type { DealActions } from './use-deal-actions';

type Props = { view: DealView; actions: DealActions };

/** The seller accepts or declines. Delivering a paid deal accepts it, too. */
export function AcceptPanel({ view, actions }: Props) {
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

/** The buyer waits for the seller, and may pay before. */
export function AwaitAcceptPanel({ view, actions }: Props) {
  const t = useTexts(deals);
  return (
    <>
      <Note kind="wait" className="mt-4">
        {t('move.waitAgree', { name: view.other.username })}
      </Note>
      <PayPanel view={view} actions={actions} early />
    </>
  );
}
