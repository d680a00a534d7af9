import type { DealDispute } from '@/api/contract';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { PendingButton } from '@/components/pending-button';
import { Section } from '@/components/section';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { dispute as catalogue } from '@/i18n/en/dispute';
import { cn } from '@/lib/cn';
import { MAX_PICTURES } from '../delivery/attachments';
import { DeliveryPictures } from '../delivery/delivery-pictures';
import { answerDispute, type Evidence } from './calls';
import { LinksField, TextField } from './evidence-fields';
import { answerSchema, linksOf } from './evidence-schema';
import { useDisputeCall } from './use-dispute-call';
import { useEvidence } from './use-evidence';

/** The other party's answer with text, pictures and links, once. Later entries are messages. */
export function AnswerForm({ dispute }: { dispute: DealDispute }) {
  const t = useTexts(catalogue);
  const tCommon = useTexts(common);
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
        <PendingButton type="submit" className="justify-self-start" pending={mutation.isPending} pendingText={tCommon('sending')}>
          {t('answerSend')}
        </PendingButton>
      </form>
    </Section>
  );
}
