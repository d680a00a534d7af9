import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
import { STACK } from '@/components/classes';
import { useMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { delivery } from '@/i18n/en/delivery';
import { cn } from '@/lib/cn';
import { textDraft } from '@/lib/draft';
import { fieldText, isApiError } from '@/lib/errors';
import { isPicture } from '@/lib/pictures';
import { notify } from '@/lib/toast';
import type { DealActions } from '../actions/use-deal-actions';
import type { DealView } from '../deal-view';
import { type Attachments, attachmentsAt, attachmentsPlace, dropAttachments, isUnderWay, useAttachments } from './attachments';
import { DeliveryPictures } from './delivery-pictures';
import { deliverySchema, EMPTY } from './delivery-schema';
import { addPictures } from './upload';
import { WordsButtons, WordsField } from './words-parts';

type Props = { view: DealView; actions: DealActions };

/** Why the delivery cannot go with these pictures: a picture that was chosen must not be left out without a word. */
function obstacle(all: Attachments): 'pictures.wait' | 'pictures.failed' | null {
  if (all.some(isUnderWay)) return 'pictures.wait';
  return all.some(({ failure }) => failure !== null) ? 'pictures.failed' : null;
}

const isWithFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

/** Takes files that are dropped on a form. */
function useDrop(onFiles: (files: readonly File[]) => void) {
  const [over, setOver] = useState(false);
  return {
    over,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!isWithFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        setOver(false);
        if (!isWithFiles(event)) return;
        event.preventDefault();
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
}

/** What the seller says and shows of the delivery; neither is needed. Pictures are uploaded while the text is written. */
export function DeliveryForm({ view, actions }: Props) {
  const t = useTexts(delivery);
  const me = useMe();
  const client = useQueryClient();
  const dealId = view.deal._id;
  const place = attachmentsPlace(me._id, dealId);
  const target = { client, dealId, place };
  const attachments = useAttachments(place);
  const [tried, setTried] = useState(false);
  const words = textDraft(`delivery:${me._id}:${dealId}`);
  const failure = actions.failureOf('deliver');
  const { form, submit, errorOf } = useDraftForm({
    schema: deliverySchema,
    t,
    empty: EMPTY,
    draft: {
      ...words,
      drop: () => {
        words.drop();
        dropAttachments(place);
      },
    },
    mutation: { isPending: actions.isBusy('deliver'), error: failure },
    onSubmit: ({ text }) => {
      const all = attachmentsAt(place);
      const inTheWay = obstacle(all);
      setTried(inTheWay !== null);
      if (inTheWay === null) return actions.say('deliver', { text, pictures: all.flatMap(({ picture }) => picture?._id ?? []) });
      notify.invalid(t(inTheWay));
      return undefined;
    },
  });
  const add = (files: readonly File[]) => addPictures(target, files);
  const drop = useDrop(add);
  const inTheWay = tried ? obstacle(attachments) : null;
  const refused = isApiError(failure) ? fieldText(failure, 'pictures') : undefined;
  const name = view.other.username;
  return (
    <form
      className={cn(STACK, 'mt-4 gap-5')}
      noValidate
      onSubmit={submit}
      onPaste={(event) => {
        const files = [...event.clipboardData.files].filter(isPicture);
        if (files.length === 0) return;
        event.preventDefault();
        add(files);
      }}
      {...drop.handlers}
    >
      <WordsField
        form={form}
        label={t('text', { name })}
        aside={t('optional')}
        help={t('textHelp', { name })}
        error={errorOf('text')}
      />
      <DeliveryPictures
        target={target}
        attachments={attachments}
        error={inTheWay === null ? refused : t(inTheWay)}
        dropping={drop.over}
        onFiles={add}
      />
      <WordsButtons action="deliver" view={view} actions={actions} />
    </form>
  );
}
