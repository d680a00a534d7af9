import * as z from 'zod/mini';
import { STACK } from '@/components/classes';
import { DialogPanel } from '@/components/dialog-panel';
import { Failure } from '@/components/failure';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { DialogClose } from '@/components/ui/dialog';
import { SplitField, typedCents } from '@/entities/deal/dispute/split-field';
import { splitRule } from '@/entities/deal/dispute/split-schema';
import { useMe } from '@/entities/user/queries';
import { isUnconfirmed } from '@/entities/user/second-factor/confirmation';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { dispute as catalogue } from '@/i18n/en/dispute';
import { disputeRoom } from '@/i18n/en/dispute-room';
import { parseCents } from '@/lib/amount';
import { cn } from '@/lib/cn';
import { textDraft } from '@/lib/draft';
import { centsFromWire, centsToWire } from '@/lib/money';
import type { RoomView } from './room-view';
import type { DisputeActions } from './use-dispute-actions';

type Props = { view: RoomView; actions: DisputeActions };

/** The form of a split. Starts with the own offer, else the other party's, else halves. */
export function OfferDialog({ view, actions }: Props) {
  const t = useTexts(catalogue);
  const tDisputeRoom = useTexts(disputeRoom);
  const tCommon = useTexts(common);
  const me = useMe();
  const { dispute, price, names, other, own, theirs } = view;
  const before = own ?? theirs;
  const { form, submit, errorOf } = useDraftForm({
    schema: z.object({ buyerGets: splitRule(price) }),
    t: tDisputeRoom,
    empty: { buyerGets: typedCents(before ? centsFromWire(before.buyerGets) : Math.round(price / 2)) },
    draft: textDraft(`dispute-offer:${me._id}:${dispute._id}`),
    mutation: actions.offer,
    onSubmit: ({ buyerGets }) => actions.offer.mutateAsync(centsToWire(parseCents(buyerGets) ?? 0)),
  });
  return (
    <DialogPanel title={t('offer.title')} description={t('offer.text', { name: other })} className="xs:w-120">
      <form className={cn(STACK, 'mt-4 gap-5')} noValidate onSubmit={submit}>
        <SplitField control={form.control} name="buyerGets" price={price} names={names} error={errorOf('buyerGets')} />
        <Failure error={isUnconfirmed(actions.offer.error) ? null : actions.offer.error} fallback={t('toast.offerFailed')} />
        <div className="flex min-w-0 flex-wrap items-center gap-2 max-xs:*:flex-auto">
          <PendingButton type="submit" pending={actions.offer.isPending} pendingText={tCommon('sending')}>
            {t('offer.send')}
          </PendingButton>
          <DialogClose asChild>
            <Button variant="outline">{t('ask.no')}</Button>
          </DialogClose>
        </div>
      </form>
    </DialogPanel>
  );
}
