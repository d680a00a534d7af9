import { Link } from '@tanstack/react-router';
import { STACK } from '@/components/classes';
import { FormField } from '@/components/form-field';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { Textarea } from '@/components/ui/textarea';
import { useMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { support } from '@/i18n/en/support';
import { cn } from '@/lib/cn';
import { textDraft } from '@/lib/draft';
import { errorText } from '@/lib/errors';
import { type SupportValues, supportSchema } from './support-schema';
import { useSupport } from './use-support';

const EMPTY: SupportValues = { issueDescription: '' };

export function SupportForm({ dealId }: { dealId: string }) {
  const t = useTexts(support);
  const tCommon = useTexts(common);
  const action = useSupport(dealId);
  const me = useMe();
  const { form, submit, errorOf } = useDraftForm({
    schema: supportSchema,
    t,
    empty: EMPTY,
    draft: textDraft(`support:${me._id}:${dealId}`),
    mutation: { isPending: action.isPending },
    onSubmit: (values) => action.runAsync(values),
  });
  return (
    <form className={cn(STACK, 'gap-6')} noValidate onSubmit={submit}>
      <FormField label={t('dealId')} help={t('dealIdHelp')}>
        {(control) => <Input {...control} value={dealId} readOnly />}
      </FormField>
      <FormField label={t('issue')} help={t('issueHelp')} error={errorOf('issueDescription')}>
        {(control) => <Textarea rows={7} {...control} {...form.register('issueDescription')} />}
      </FormField>
      <div role="alert" className="empty:absolute">
        {action.error ? <Note kind="bad">{errorText(action.error, t('failed'))}</Note> : null}
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <PendingButton type="submit" pending={action.phase !== 'idle'} pendingText={tCommon('sending')}>
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
