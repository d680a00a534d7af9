import { Link, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { STACK } from '@/components/classes';
import { FormField } from '@/components/form-field';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { Textarea } from '@/components/ui/textarea';
import { useMe } from '@/entities/user/queries';
import { useMoneyAction } from '@/entities/wallet/operations';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useStillHere } from '@/hooks/use-still-here';
import { type Key, translate, useTexts } from '@/i18n';
import { support } from '@/i18n/en/support';
import { api, idempotent, send } from '@/lib/api';
import { cn } from '@/lib/cn';
import { textDraft } from '@/lib/draft';
import { errorText } from '@/lib/errors';
import { outcomeText } from '@/lib/outcomes';
import { lengthOf } from '@/lib/rules';

const say = (key: Key<typeof support>): Key<typeof support> => key;

const MAX_ISSUE = 5_000;

const supportSchema = z.object({
  issueDescription: z.string().check(
    z.trim(),
    z.minLength(1, { error: say('required'), abort: true }),
    z.refine((text) => lengthOf(text) <= MAX_ISSUE, say('long')),
  ),
});
type SupportValues = z.infer<typeof supportSchema>;

/** Sends the request and leads to the deal, whose clock is now stopped. */
function useSupport(dealId: string) {
  const me = useMe();
  const navigate = useNavigate();
  const here = useStillHere();
  return useMoneyAction({
    call: ({ issueDescription }: SupportValues, key) => {
      // The server knows the user, but the call includes them (docs/rules.md#wire).
      const body = { userId: me._id, username: me.username, dealId, issueDescription };
      return send(api.POST('/deals/support', { body, headers: idempotent(key) }));
    },
    success: (done) => outcomeText(done, translate(support, 'sent')),
    fallback: () => translate(support, 'failed'),
    onDone: () => {
      if (here()) void navigate({ to: '/deal/$dealId', params: { dealId }, replace: true });
    },
  });
}

const EMPTY: SupportValues = { issueDescription: '' };

export function SupportForm({ dealId }: { dealId: string }) {
  const t = useTexts(support);
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
        <PendingButton type="submit" pending={action.phase !== 'idle'}>
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
