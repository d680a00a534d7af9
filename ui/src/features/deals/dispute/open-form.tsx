import type { DealDetail, DealDispute, DisputeReason } from '@/api/contract';
import { Choice, ChoiceGroup } from '@/components/choice';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { PendingButton } from '@/components/pending-button';
import type { Side } from '@/entities/deal/rules';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { dispute } from '@/i18n/en/dispute';
import { disputeRoom } from '@/i18n/en/dispute-room';
import { cn } from '@/lib/cn';
import { MAX_PICTURES } from '../delivery/attachments';
import { DeliveryPictures } from '../delivery/delivery-pictures';
import { openDispute } from './calls';
import { LinksField, TextField } from './evidence-fields';
import { linksOf, openSchema } from './evidence-schema';
import { REASONS } from './reasons';
import { useDisputeCall } from './use-dispute-call';
import { useEvidence } from './use-evidence';

type Props = { deal: DealDetail; side: Side; onOpened: (dispute: DealDispute) => void };

export function OpenForm({ deal, side, onOpened }: Props) {
  const t = useTexts(dispute);
  const tDisputeRoom = useTexts(disputeRoom);
  const tCommon = useTexts(common);
  const mutation = useDisputeCall<Parameters<typeof openDispute>[1]>({
    call: (body, key) => openDispute(deal._id, body, key),
    success: 'toast.opened',
    failure: 'toast.openFailed',
    onDone: onOpened,
  });
  const { pictures, draft } = useEvidence('open', deal._id, mutation.error);
  const { form, submit, errorOf } = useDraftForm({
    schema: openSchema,
    t,
    empty: { reason: '', text: '', links: '' },
    draft,
    mutation,
    onSubmit: ({ reason, text, links }) => {
      const ids = pictures.take();
      if (ids === null) return undefined;
      return mutation.mutateAsync({ reason: reason as DisputeReason, text, links: linksOf(links), pictures: ids });
    },
  });
  const { control } = form;
  return (
    <form className={cn(STACK, 'max-w-160 gap-6')} noValidate onSubmit={submit} {...pictures.handlers}>
      <ChoiceGroup legend={t('reason')} error={errorOf('reason')}>
        {REASONS[side].map((reason) => (
          <Choice key={reason} value={reason} {...form.register('reason')} label={tDisputeRoom(`reason.${reason}`)} />
        ))}
      </ChoiceGroup>
      <TextField control={control} rows={7} label={t('text')} help={t('textHelp')} error={errorOf('text')} />
      <DeliveryPictures {...pictures.field} help={t('picturesHelp', { most: MAX_PICTURES })} />
      <LinksField control={control} error={errorOf('links')} />
      <Failure error={mutation.error} fallback={t('toast.openFailed')} />
      <PendingButton
        type="submit"
        size="lg"
        className="justify-self-start"
        pending={mutation.isPending}
        pendingText={tCommon('sending')}
      >
        {t('open')}
      </PendingButton>
    </form>
  );
}
