import { STACK } from '@/components/classes';
import { useMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { delivery } from '@/i18n/en/delivery';
import { trouble } from '@/i18n/en/trouble';
import { cn } from '@/lib/cn';
import { textDraft } from '@/lib/draft';
import type { DealActions } from '../actions/use-deal-actions';
import type { DealView } from '../deal-view';
import { changesSchema, EMPTY } from './delivery-schema';
import { WordsButtons, WordsField } from './words-parts';

type Props = { view: DealView; actions: DealActions };

export function ChangesForm({ view, actions }: Props) {
  const t = useTexts(delivery);
  const tTrouble = useTexts(trouble);
  const me = useMe();
  const { form, submit, errorOf } = useDraftForm({
    schema: changesSchema,
    t,
    empty: EMPTY,
    draft: textDraft(`changes:${me._id}:${view.deal._id}`),
    mutation: { isPending: actions.isBusy('reset'), error: actions.failureOf('reset') },
    onSubmit: ({ text }) => actions.say('reset', { text, pictures: [] }),
  });
  return (
    <form className={cn(STACK, 'mt-4 gap-5')} noValidate onSubmit={submit}>
      <WordsField
        form={form}
        label={t('changes')}
        help={t('changesHelp', { name: view.other.username })}
        error={errorOf('text')}
      />
      <p className="text-sm text-muted-foreground">{tTrouble('left', { count: view.deal.requestsLeft })}</p>
      <WordsButtons action="reset" view={view} actions={actions} />
    </form>
  );
}
