import { STACK } from '@/components/classes';
import { useMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { delivery } from '@/i18n/en/delivery';
import { cn } from '@/lib/cn';
import { textDraft } from '@/lib/draft';
import type { DealActions } from '../actions/use-deal-actions';
import type { DealView } from '../deal-view';
import { DeliveryPictures } from './delivery-pictures';
import { deliverySchema, EMPTY } from './delivery-schema';
import { usePictures } from './use-pictures';
import { WordsButtons, WordsField } from './words-parts';

type Props = { view: DealView; actions: DealActions };

/** The seller's optional text and pictures. Pictures are uploaded while the text is written. */
export function DeliveryForm({ view, actions }: Props) {
  const t = useTexts(delivery);
  const me = useMe();
  const dealId = view.deal._id;
  const failure = actions.failureOf('deliver');
  const pictures = usePictures('delivery', dealId, failure);
  const words = textDraft(`delivery:${me._id}:${dealId}`);
  const { form, submit, errorOf } = useDraftForm({
    schema: deliverySchema,
    t,
    empty: EMPTY,
    draft: {
      ...words,
      drop: () => {
        words.drop();
        pictures.drop();
      },
    },
    mutation: { isPending: actions.isBusy('deliver'), error: failure },
    onSubmit: ({ text }) => {
      const ids = pictures.take();
      return ids === null ? undefined : actions.say('deliver', { text, pictures: ids });
    },
  });
  const name = view.other.username;
  return (
    <form className={cn(STACK, 'mt-4 gap-5')} noValidate onSubmit={submit} {...pictures.handlers}>
      <WordsField
        form={form}
        label={t('text', { name })}
        aside={t('optional')}
        help={t('textHelp', { name })}
        error={errorOf('text')}
      />
      <DeliveryPictures {...pictures.field} />
      <WordsButtons action="deliver" view={view} actions={actions} />
    </form>
  );
}
