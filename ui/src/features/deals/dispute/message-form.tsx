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
import { writeInDispute } from './calls';
import { TextField } from './evidence-fields';
import { messageSchema } from './evidence-schema';
import { useDisputeCall } from './use-dispute-call';
import { useEvidence } from './use-evidence';

/** Another message to the other party and Amanat. The form empties when it is sent. */
export function MessageForm({ dispute }: { dispute: DealDispute }) {
  const t = useTexts(catalogue);
  const tCommon = useTexts(common);
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
        <PendingButton
          type="submit"
          variant="outline"
          className="justify-self-start"
          pending={mutation.isPending}
          pendingText={tCommon('sending')}
        >
          {t('send')}
        </PendingButton>
      </form>
    </Section>
  );
}
