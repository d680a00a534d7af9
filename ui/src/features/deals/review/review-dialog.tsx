import { Star } from 'lucide-react';
import { useId } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { STACK } from '@/components/classes';
import { DialogPanel } from '@/components/dialog-panel';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { Dialog, DialogClose } from '@/components/ui/dialog';
import { FieldLegend, FieldSet } from '@/components/ui/field';
import { Textarea } from '@/components/ui/textarea';
import { useMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useReturnFocus } from '@/hooks/use-focus';
import { type Key, useTexts } from '@/i18n';
import { review as catalogue } from '@/i18n/en/deal-page';
import { cn } from '@/lib/cn';
import { textDraft } from '@/lib/draft';
import { lengthOf } from '@/lib/rules';
import type { DealView } from '../deal-view';
import type { Review } from './use-review';

type Rule = Extract<Key<typeof catalogue>, 'hint' | 'long'>;
const say = (rule: Rule): Rule => rule;

const MAX_COMMENT = 2_000;

const reviewSchema = z.object({
  rating: z.string().check(z.minLength(1, say('hint'))),
  comment: z.string().check(
    z.trim(),
    z.minLength(1, { error: say('hint'), abort: true }),
    z.refine((comment) => lengthOf(comment) <= MAX_COMMENT, say('long')),
  ),
});
type ReviewValues = z.infer<typeof reviewSchema>;

function brokenRules(typed: ReviewValues): readonly string[] {
  return reviewSchema.safeParse(typed).error?.issues.map(({ message }) => message) ?? [];
}

const RATINGS = [1, 2, 3, 4, 5] as const;

/** Radio buttons, so that arrow keys choose and screen readers say "4 stars, Good". "" is none. */
function Stars({ value, onValue }: { value: string; onValue: (value: string) => void }) {
  const t = useTexts(catalogue);
  const name = useId();
  const chosen = RATINGS.find((rating) => String(rating) === value);
  return (
    <FieldSet>
      <FieldLegend>{t('rating')}</FieldLegend>
      <div className="-ms-2 flex items-center gap-0.5">
        {RATINGS.map((rating) => (
          <label
            key={rating}
            className={cn(
              'relative grid size-12 cursor-pointer place-items-center rounded-md text-subtle-foreground focus-within:outline-2 focus-within:-outline-offset-2 focus-within:outline-pen hover:bg-muted',
              chosen !== undefined && rating <= chosen && 'text-foreground *:fill-current',
            )}
          >
            <input
              type="radio"
              className="sr-only"
              name={name}
              value={rating}
              checked={rating === chosen}
              onChange={() => onValue(String(rating))}
              aria-label={`${t('stars', { count: rating })}, ${t(`star.${rating}`)}`}
            />
            <Star className="size-7" aria-hidden="true" />
          </label>
        ))}
        <span className="ms-2 text-sm text-muted-foreground max-xs:hidden" aria-hidden="true">
          {chosen === undefined ? null : t(`star.${chosen}`)}
        </span>
      </div>
    </FieldSet>
  );
}

const EMPTY: ReviewValues = { rating: '', comment: '' };

type Props = { view: DealView; review: Review };

/** The draft survives a failure, a closed dialog and a reload. */
function ReviewForm({ view, review }: Props) {
  const t = useTexts(catalogue);
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
          <PendingButton type="submit" disabled={!ready} aria-describedby={hintId} pending={review.sending}>
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
