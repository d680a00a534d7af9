import { useWatch } from 'react-hook-form';
import type { Decision } from '@/api/contract';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Textarea } from '@/components/ui/textarea';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { decision as catalogue } from '@/i18n/en/decision';
import { isApiError } from '@/lib/errors';
import { count } from '@/lib/money';
import { lengthOf } from '@/lib/rules';
import { formatTime } from '@/lib/time';
import { MAX_APPEAL } from './appeal-schema';
import type { SendAppeal } from './decisions';
import { useAppeal } from './use-appeal';

const COUNTER_FROM = MAX_APPEAL - 300;

type Props = { decision: Decision; send: SendAppeal; onSent: (decision: Decision) => void };

export default function AppealForm({ decision, send, onSent }: Props) {
  const t = useTexts(catalogue);
  const tCommon = useTexts(common);
  const { form, submit, errorOf, mutation } = useAppeal(decision._id, send, onSent);
  const written = lengthOf(useWatch({ control: form.control, name: 'text' }));
  const placed = isApiError(mutation.error) && mutation.error.fields.text !== undefined;
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      <p>{t('appealLede')}</p>
      <FormField
        label={t('appealText')}
        aside={written >= COUNTER_FROM ? `${count(written)}/${count(MAX_APPEAL)}` : null}
        help={t('appealHelp')}
        error={errorOf('text')}
        live
      >
        {(control) => <Textarea rows={6} {...control} {...form.register('text')} />}
      </FormField>
      <Failure error={placed ? null : mutation.error} fallback={t('appealFailed')} />
      <p className="text-sm text-muted-foreground">{t('appealUntil', { when: formatTime(decision.appealUntil, 'moment') })}</p>
      <PendingButton
        type="submit"
        size="lg"
        className="justify-self-start"
        pending={mutation.isPending}
        pendingText={tCommon('sending')}
      >
        {t('appealSubmit')}
      </PendingButton>
    </form>
  );
}
