import { STACK } from '@/components/classes';
import { DialogPanel } from '@/components/dialog-panel';
import { Dialog } from '@/components/ui/dialog';
import { useMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { trouble } from '@/i18n/en/deal-page';
import { deals, delivery } from '@/i18n/en/deals';
import { cn } from '@/lib/cn';
import { textDraft } from '@/lib/draft';
import { takesWords, type WordsAction } from '../actions/deal-actions';
import type { DealActions } from '../actions/use-deal-actions';
import type { DealView } from '../deal-view';
import { DeliveryPictures, usePictures } from './delivery-pictures';
import {
  changesSchema,
  deliverySchema,
  EMPTY,
  EMPTY_DELIVERY,
  ShipmentFields,
  sentWith,
  WordsButtons,
  WordsField,
} from './words-parts';

type Props = { view: DealView; actions: DealActions };

function ChangesForm({ view, actions }: Props) {
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

/** The seller's optional text and pictures. Pictures are uploaded while the text is written. */
function DeliveryForm({ view, actions }: Props) {
  const t = useTexts(delivery);
  const me = useMe();
  const dealId = view.deal._id;
  const failure = actions.failureOf('deliver');
  const pictures = usePictures('delivery', dealId, failure);
  const words = textDraft(`delivery:${me._id}:${dealId}`);
  const { form, submit, errorOf } = useDraftForm({
    schema: deliverySchema,
    t,
    empty: EMPTY_DELIVERY,
    draft: {
      ...words,
      drop: () => {
        words.drop();
        pictures.drop();
      },
    },
    mutation: { isPending: actions.isBusy('deliver'), error: failure },
    onSubmit: (values) => {
      const ids = pictures.take();
      return ids === null ? undefined : actions.say('deliver', { text: values.text, pictures: ids, ...sentWith(values) });
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
      <ShipmentFields form={form} errorOf={errorOf} name={name} />
      <DeliveryPictures {...pictures.field} />
      <WordsButtons action="deliver" view={view} actions={actions} />
    </form>
  );
}

function Asked({ action, view, actions }: Props & { action: WordsAction }) {
  const t = useTexts(deals);
  const tTrouble = useTexts(trouble);
  const name = view.other.username;
  if (action === 'deliver') {
    return (
      <DialogPanel title={t('ask.deliver')} description={t('ask.deliverText', { name })}>
        <DeliveryForm view={view} actions={actions} />
      </DialogPanel>
    );
  }
  return (
    <DialogPanel
      title={tTrouble('ask.reset', { name })}
      description={tTrouble('ask.resetText', { name })}
      onOpenAutoFocus={(event) => {
        event.preventDefault();
        (event.currentTarget as HTMLElement).querySelector('textarea')?.focus();
      }}
    >
      <ChangesForm view={view} actions={actions} />
    </DialogPanel>
  );
}

export default function WordsDialog({ view, actions }: Props) {
  const { asked } = actions;
  return (
    <Dialog
      open={takesWords(asked)}
      onOpenChange={(open) => {
        if (!open) actions.close();
      }}
    >
      {takesWords(asked) ? <Asked key={asked} action={asked} view={view} actions={actions} /> : null}
    </Dialog>
  );
}
