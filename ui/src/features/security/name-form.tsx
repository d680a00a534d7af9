import type { UseMutationResult } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { FormField } from '@/components/form-field';
import { FormFooter } from '@/components/form-footer';
import { Input } from '@/components/ui/input';
import { useDraftForm } from '@/hooks/use-draft-form';
import { type Key, useTexts } from '@/i18n';
import { security } from '@/i18n/en/security';
import { isApiError } from '@/lib/errors';
import { withoutCancelled } from './queries';

const say = (key: Key<typeof security>): Key<typeof security> => key;

const MAX_NAME = 50;

/** docs/rules.md#second-factor */
const nameSchema = z.object({
  name: z
    .string()
    .check(z.trim(), z.minLength(1, { error: say('add.nameRequired'), abort: true }), z.maxLength(MAX_NAME, say('add.nameLong'))),
});
type NameValues = z.infer<typeof nameSchema>;

/** The first code of a new authenticator app. */
export const codeSchema = z.object({ code: z.string().check(z.trim(), z.minLength(1, say('setUp.required'))) });

type Props<T> = {
  name: string;
  submitText: string;
  mutation: UseMutationResult<T, Error, NameValues>;
  failureText?: string | undefined;
  onCancel: () => void;
};

export function NameForm<T>({ name, submitText, mutation, failureText, onCancel }: Props<T>) {
  const t = useTexts(security);
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
      <FormFooter pending={mutation.isPending} onCancel={onCancel}>
        {submitText}
      </FormFooter>
    </form>
  );
}
