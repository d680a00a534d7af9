import { useId } from 'react';
import { useWatch } from 'react-hook-form';
import { STACK } from '@/components/classes';
import { DialogPanel } from '@/components/dialog-panel';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { Dialog, DialogClose } from '@/components/ui/dialog';
import { Textarea } from '@/components/ui/textarea';
import { useMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useReturnFocus } from '@/hooks/use-focus';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { review as catalogue } from '@/i18n/en/review';
import { cn } from '@/lib/cn';
import { textDraft } from '@/lib/draft';
import type { DealView } from '../deal-view';
import { brokenRules, type ReviewValues, reviewSchema } from './review-schema';
import { Stars } from './stars';
import type { Review } from './use-review';

const EMPTY: ReviewValues = { rating: '', comment: '' };

type Props = { view: DealView; review: Review };

/** The draft survives a failure, a closed dialog and a reload. */
function ReviewForm({ view, review }: Props) {
  const t = useTexts(catalogue);
  const tCommon = useTexts(common);
  const hintId = useId();
  const me = useMe();
  const { form, submit } = useDraftForm({
    schema: reviewSchema,
    t,
    empty: EMPTY,
    draft: textDraft(`review:${me._id}:${view.deal._id}`),
    mutation: { isPending: review.sending },
    onSubmit: ({ rating, comment }) => review.send({ rating: Number(rating), comment }),
  });
  const [rating, comment] = useWatch({ control: form.control, name: ['rating', 'comment'] });
  // Checked on input, because the button only appears when valid.
  const broken = brokenRules({ rating, comment });
  const ready = broken.length === 0;
  const tooLong = broken.includes('long');
  return (
    <form className={cn(STACK, 'mt-4 gap-6')} noValidate onSubmit={submit}>
      <Stars value={rating} onValue={(chosen) => form.setValue('rating', chosen)} />
      <FormField label={t('comment')} help={t('commentHelp')} error={tooLong ? t('long') : undefined}>
        {(control) => <Textarea rows={4} {...control} {...form.register('comment')} />}
      </FormField>
      <div className={cn(STACK, 'gap-2')}>
        {ready || tooLong ? null : (
          <p className="text-sm text-muted-foreground" id={hintId}>
            {t('hint')}
          </p>
        )}
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <PendingButton
            type="submit"
            disabled={!ready}
            aria-describedby={hintId}
            pending={review.sending}
            pendingText={tCommon('sending')}
          >
            {t('send')}
          </PendingButton>
          <DialogClose asChild>
            <Button variant="outline">{t('later')}</Button>
          </DialogClose>
        </div>
      </div>
    </form>
  );
}

/** Opens by itself on a completed deal until the buyer postpones it in this tab. */
export default function ReviewDialog({ view, review }: Props) {
  const t = useTexts(catalogue);
  const { remember, giveBack } = useReturnFocus();
  const name = view.other.username;
  return (
    <Dialog open={review.open} onOpenChange={review.setOpen}>
      <DialogPanel
        className="xs:w-120"
        title={t('title', { name })}
        description={t('lede', { name })}
        onOpenAutoFocus={remember}
        onCloseAutoFocus={giveBack}
      >
        <ReviewForm view={view} review={review} />
      </DialogPanel>
    </Dialog>
  );
}
