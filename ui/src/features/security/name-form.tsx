import type { UseMutationResult } from '@tanstack/react-query';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { security } from '@/i18n/en/security';
import { isApiError } from '@/lib/errors';
import { type NameValues, nameSchema } from './name-schema';
import { withoutCancelled } from './use-factor';

type Props<T> = {
  name: string;
  submitText: string;
  mutation: UseMutationResult<T, Error, NameValues>;
  failureText?: string | undefined;
  onCancel: () => void;
};

export function NameForm<T>({ name, submitText, mutation, failureText, onCancel }: Props<T>) {
  const t = useTexts(security);
  const tCommon = useTexts(common);
  const { form, submit, errorOf } = useDraftForm({
    schema: nameSchema,
    t,
    empty: { name },
    toast: null,
    mutation,
    onSubmit: (values) => mutation.mutateAsync(values),
  });
  const placed = isApiError(mutation.error) && mutation.error.fields.name !== undefined;
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      <FormField label={t('add.name')} error={errorOf('name')} live>
        {(control) => <Input autoComplete="off" {...control} {...form.register('name')} />}
      </FormField>
      <Failure error={placed ? null : withoutCancelled(mutation.error)} text={failureText} />
      <div className="flex min-w-0 flex-wrap items-center gap-3">
        <PendingButton type="submit" pending={mutation.isPending} pendingText={tCommon('sending')}>
          {submitText}
        </PendingButton>
        <Button variant="outline" onClick={onCancel}>
          {tCommon('cancel')}
        </Button>
      </div>
    </form>
  );
}
