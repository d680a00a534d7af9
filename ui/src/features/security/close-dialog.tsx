import { STACK } from '@/components/classes';
import { DialogPanel } from '@/components/dialog-panel';
import { Failure } from '@/components/failure';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Input } from '@/components/ui/input';
import { useMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useReturnFocus } from '@/hooks/use-return-focus';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { ownData } from '@/i18n/en/own-data';
import { isApiError } from '@/lib/errors';
import { closeSchema } from './close-schema';
import { withoutCancelled } from './use-factor';
import { useCloseAccount } from './use-own-data';

/** Confirms by typing the username, against stray clicks. */
export function CloseDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(ownData);
  const tCommon = useTexts(common);
  const { username } = useMe();
  const focus = useReturnFocus();
  const close = useCloseAccount();
  const { form, submit, errorOf } = useDraftForm({
    schema: closeSchema(username),
    t,
    empty: { username: '' },
    toast: null,
    mutation: close,
    onSubmit: (values) => close.mutateAsync(values),
  });
  const placed = isApiError(close.error) && close.error.fields.username !== undefined;
  return (
    <Dialog open onOpenChange={(open) => (open || close.isPending ? null : onClose())}>
      <DialogPanel
        className="wrap-anywhere"
        title={t('ask.title')}
        description={t('ask.text')}
        onOpenAutoFocus={focus.remember}
        onCloseAutoFocus={focus.giveBack}
      >
        <form className={STACK} noValidate onSubmit={submit}>
          <FormField label={t('ask.name', { name: username })} error={errorOf('username')} live>
            {(control) => (
              <Input autoComplete="off" autoCapitalize="none" spellCheck={false} {...control} {...form.register('username')} />
            )}
          </FormField>
          <Failure error={placed ? null : withoutCancelled(close.error)} />
          <div className="flex min-w-0 flex-wrap items-center gap-3">
            <PendingButton type="submit" variant="destructive" pending={close.isPending} pendingText={tCommon('sending')}>
              {t('ask.yes')}
            </PendingButton>
            <Button variant="outline" disabled={close.isPending} onClick={onClose}>
              {t('ask.no')}
            </Button>
          </div>
        </form>
      </DialogPanel>
    </Dialog>
  );
}
