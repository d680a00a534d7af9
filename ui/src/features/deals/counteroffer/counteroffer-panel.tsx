import { Note } from '@/components/note';
import { useTexts } from '@/i18n';
import { counteroffer as catalogue } from '@/i18n/en/counteroffer';
import { ActionButton } from '../actions/action-button';
import { ButtonStack } from '../actions/button-stack';
import type { DealActions } from '../actions/use-deal-actions';
import type { DealView } from '../deal-view';

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
