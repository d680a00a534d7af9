import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { STACK } from '@/components/classes';
import { FormField } from '@/components/form-field';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { Textarea } from '@/components/ui/textarea';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { support } from '@/i18n/en/support';
import { cn } from '@/lib/cn';
import { keepDraft, readDraft } from '@/lib/draft';
import { errorText } from '@/lib/errors';
import { firstMessage, messageOf } from '@/lib/forms';
import { notify } from '@/lib/toast';
import { type SupportValues, supportSchema } from './schema';
import { supportDraft, useSupport } from './use-support';

const EMPTY: SupportValues = { issueDescription: '' };

/** The deal's id, which stays as it is, and what went wrong. What is typed survives a failure, another page and a reload. */
export function SupportForm({ dealId }: { dealId: string }) {
  const t = useTexts(support);
  const c = useTexts(common);
  const action = useSupport(dealId);
  const draft = supportDraft(useMe()._id, dealId);
  const [defaultValues] = useState(() => readDraft(draft, EMPTY));
  const form = useForm<SupportValues>({ resolver: standardSchemaResolver(supportSchema), defaultValues });
  const issueDescription = useWatch({ control: form.control, name: 'issueDescription' });
  useEffect(() => keepDraft(draft, { issueDescription }, EMPTY), [draft, issueDescription]);
  const submit = form.handleSubmit(action.run, (invalid) => notify.invalid(firstMessage(t, invalid, ['issueDescription'])));
  return (
    <form className={cn(STACK, 'gap-6')} noValidate onSubmit={(event) => void submit(event)}>
      <FormField label={t('dealId')} help={t('dealIdHelp')}>
        {(control) => <Input {...control} value={dealId} readOnly />}
      </FormField>
      <FormField label={t('issue')} help={t('issueHelp')} error={messageOf(t, form.formState.errors.issueDescription)}>
        {(control) => <Textarea rows={7} {...control} {...form.register('issueDescription')} />}
      </FormField>
      <div role="alert" className="empty:absolute">
        {action.error ? <Note kind="bad">{errorText(action.error, t('failed'))}</Note> : null}
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <PendingButton type="submit" pending={action.phase !== 'idle'} pendingText={c('sending')}>
          {t('send')}
        </PendingButton>
        <Button variant="outline" asChild>
          <Link to="/deal/$dealId" params={{ dealId }}>
            {t('back')}
          </Link>
        </Button>
      </div>
    </form>
  );
}
