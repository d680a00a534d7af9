import type { ReactNode } from 'react';
import { type Control, type FieldValues, type Path, useController, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import type { DealDispute } from '@/api/contract';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Section } from '@/components/section';
import { Textarea } from '@/components/ui/textarea';
import { useMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { type Key, useTexts } from '@/i18n';
import { dispute as catalogue } from '@/i18n/en/disputes';
import { cn } from '@/lib/cn';
import { textDraft } from '@/lib/draft';
import { count } from '@/lib/money';
import { lengthOf } from '@/lib/rules';
import { MAX_PICTURES } from '../delivery/attachments';
import { DeliveryPictures, usePictures } from '../delivery/delivery-pictures';
import { answerDispute, type Evidence, useDisputeCall, writeInDispute } from './use-dispute-actions';

const say = (key: Key<typeof catalogue>) => key;

/** In characters, as the server counts them. */
const MAX_LENGTH = 2_000;
const MAX_LINKS = 5;
const MAX_LINK = 500;

export const linksOf = (typed: string): string[] => typed.split(/\s+/).filter((link) => link !== '');

function isLink(link: string): boolean {
  try {
    return new URL(link).protocol === 'https:' && lengthOf(link) <= MAX_LINK;
  } catch {
    return false;
  }
}

const text = z.string().check(
  z.trim(),
  z.minLength(1, { error: say('text.missing'), abort: true }),
  z.refine((typed) => lengthOf(typed) <= MAX_LENGTH, say('text.long')),
);

const links = z.string().check(
  z.trim(),
  z.refine((typed) => linksOf(typed).length <= MAX_LINKS, { error: say('links.many'), abort: true }),
  z.refine((typed) => linksOf(typed).every(isLink), say('links.bad')),
);

/** docs/rules.md#disputes */
export const answerRules = { text, links };
const answerSchema = z.object(answerRules);
const messageSchema = z.object({ text });
export const appealSchema = z.object({ text });

const COUNTER_FROM = MAX_LENGTH - 300;

const PREFIX = 'https://';

type Props<V extends FieldValues> = { control: Control<V>; error: string | undefined };

export function TextField<V extends FieldValues>({
  control,
  error,
  label,
  help,
  rows = 5,
}: Props<V> & { label: string; help?: ReactNode; rows?: number }) {
  const name = 'text' as Path<V>;
  const { field } = useController({ control, name });
  const written = lengthOf(String(useWatch({ control, name })).trim());
  return (
    <FormField
      label={label}
      help={help}
      error={error}
      aside={written > COUNTER_FROM ? `${count(written)}/${count(MAX_LENGTH)}` : undefined}
    >
      {(described) => <Textarea rows={rows} {...described} {...field} />}
    </FormField>
  );
}

export function LinksField<V extends FieldValues>({ control, error }: Props<V>) {
  const t = useTexts(catalogue);
  const { field } = useController({ control, name: 'links' as Path<V> });
  return (
    <FormField label={t('links')} aside={t('optional')} help={t('linksHelp', { most: MAX_LINKS })} error={error}>
      {(described) => (
        <Textarea
          rows={2}
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={PREFIX}
          {...described}
          {...field}
        />
      )}
    </FormField>
  );
}

/** The draft and the pictures of a dispute's form, which are dropped together. */
export function useEvidence(form: 'open' | 'answer' | 'message', dealId: string, failure: unknown) {
  const me = useMe();
  const pictures = usePictures('dispute', dealId, failure);
  const words = textDraft(`dispute-${form}:${me._id}:${dealId}`);
  return {
    pictures,
    draft: {
      ...words,
      drop: () => {
        words.drop();
        pictures.drop();
      },
    },
  };
}

/** The other party's answer with text, pictures and links, once. Later entries are messages. */
export function AnswerForm({ dispute }: { dispute: DealDispute }) {
  const t = useTexts(catalogue);
  const mutation = useDisputeCall<Evidence>({
    call: (body, key) => answerDispute(dispute._id, body, key),
    success: 'toast.answered',
    failure: 'toast.answerFailed',
  });
  const { pictures, draft } = useEvidence('answer', dispute.deal._id, mutation.error);
  const { form, submit, errorOf } = useDraftForm({
    schema: answerSchema,
    t,
    empty: { text: '', links: '' },
    draft,
    mutation,
    onSubmit: ({ text, links }) => {
      const ids = pictures.take();
      return ids === null ? undefined : mutation.mutateAsync({ text, links: linksOf(links), pictures: ids });
    },
  });
  const { control } = form;
  return (
    <Section title={t('answer')}>
      <form className={cn(STACK, 'max-w-160 gap-6')} noValidate onSubmit={submit} {...pictures.handlers}>
        <TextField control={control} label={t('answerText')} help={t('answerHelp')} error={errorOf('text')} />
        <DeliveryPictures {...pictures.field} help={t('picturesHelp', { most: MAX_PICTURES })} />
        <LinksField control={control} error={errorOf('links')} />
        <Failure error={mutation.error} fallback={t('toast.answerFailed')} />
        <PendingButton type="submit" className="justify-self-start" pending={mutation.isPending}>
          {t('answerSend')}
        </PendingButton>
      </form>
    </Section>
  );
}

/** Another message to the other party and Amanat. The form empties when it is sent. */
export function MessageForm({ dispute }: { dispute: DealDispute }) {
  const t = useTexts(catalogue);
  const mutation = useDisputeCall<{ text: string; pictures: string[] }>({
    call: (body, key) => writeInDispute(dispute._id, body, key),
    success: 'toast.sent',
    failure: 'toast.sendFailed',
  });
  const { pictures, draft } = useEvidence('message', dispute.deal._id, mutation.error);
  const { form, submit, errorOf } = useDraftForm({
    schema: messageSchema,
    t,
    empty: { text: '' },
    draft,
    mutation,
    onSubmit: ({ text }, { reset }) => {
      const ids = pictures.take();
      if (ids === null) return undefined;
      return mutation.mutateAsync({ text, pictures: ids }).then(() => reset({ text: '' }));
    },
  });
  return (
    <Section title={t('write')} size="small">
      <form className={cn(STACK, 'max-w-160 gap-4')} noValidate onSubmit={submit} {...pictures.handlers}>
        <TextField control={form.control} rows={3} label={t('message')} help={t('messageHelp')} error={errorOf('text')} />
        <DeliveryPictures {...pictures.field} help={t('picturesHelp', { most: MAX_PICTURES })} />
        <Failure error={mutation.error} fallback={t('toast.sendFailed')} />
        <PendingButton type="submit" variant="outline" className="justify-self-start" pending={mutation.isPending}>
          {t('send')}
        </PendingButton>
      </form>
    </Section>
  );
}
