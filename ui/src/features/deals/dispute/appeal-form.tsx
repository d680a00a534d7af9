import { STACK } from '@/components/classes';
import { DialogPanel } from '@/components/dialog-panel';
import { Failure } from '@/components/failure';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { DialogClose } from '@/components/ui/dialog';
import { useMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { dispute as catalogue } from '@/i18n/en/dispute';
import { cn } from '@/lib/cn';
import { textDraft } from '@/lib/draft';
import { TextField } from './evidence-fields';
import { appealSchema } from './evidence-schema';
import type { RoomView } from './room-view';
import type { DisputeActions } from './use-dispute-actions';

export function AppealDialog({ view, actions }: { view: RoomView; actions: DisputeActions }) {
  const t = useTexts(catalogue);
  const tCommon = useTexts(common);
  const me = useMe();
  const { form, submit, errorOf } = useDraftForm({
    schema: appealSchema,
    t,
    empty: { text: '' },
    draft: textDraft(`dispute-appeal:${me._id}:${view.dispute._id}`),
    mutation: actions.appeal,
    onSubmit: ({ text }) => actions.appeal.mutateAsync(text),
  });
  return (
    <DialogPanel title={t('appeal.title')} description={t('appeal.lede')} className="xs:w-120">
      <form className={cn(STACK, 'mt-4 gap-5')} noValidate onSubmit={submit}>
        <TextField
          control={form.control}
          label={t('appeal.label')}
          help={t('appeal.help', { name: view.other })}
          error={errorOf('text')}
        />
        <Failure error={actions.appeal.error} fallback={t('toast.appealFailed')} />
        <div className="flex min-w-0 flex-wrap items-center gap-2 max-xs:*:flex-auto">
          <PendingButton type="submit" pending={actions.appeal.isPending} pendingText={tCommon('sending')}>
            {t('appeal.send')}
          </PendingButton>
          <DialogClose asChild>
            <Button variant="outline">{t('ask.no')}</Button>
          </DialogClose>
        </div>
      </form>
    </DialogPanel>
  );
}
