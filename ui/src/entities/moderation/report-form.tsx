import { useWatch } from 'react-hook-form';
import type { Report } from '@/api/contract';
import { Choice, ChoiceGroup } from '@/components/choice';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Textarea } from '@/components/ui/textarea';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { report } from '@/i18n/en/report';
import { isApiError } from '@/lib/errors';
import { count } from '@/lib/money';
import { lengthOf } from '@/lib/rules';
import { MAX_REPORT } from './report-schema';
import { reasonsOf } from './subject';
import type { useReport } from './use-report';

const COUNTER_FROM = MAX_REPORT - 200;

const EXPLAINED = ['scam', 'off_platform'] as const;
const isExplained = (reason: Report['reason']): reason is (typeof EXPLAINED)[number] =>
  (EXPLAINED as readonly string[]).includes(reason);

type Props = ReturnType<typeof useReport> & { subject: Report['subject'] };

export function ReportForm({ subject, form, submit, errorOf, mutation }: Props) {
  const t = useTexts(report);
  const tCommon = useTexts(common);
  const [reason, text] = useWatch({ control: form.control, name: ['reason', 'text'] });
  const written = lengthOf(text);
  const counter = written >= COUNTER_FROM ? `${count(written)}/${count(MAX_REPORT)}` : null;
  const placed = isApiError(mutation.error) && Object.keys(mutation.error.fields).length > 0;
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      <ChoiceGroup legend={t('why')} error={errorOf('reason')}>
        {reasonsOf(subject).map((one) => (
          <Choice
            key={one}
            value={one}
            className="border-b last-of-type:border-b-0"
            {...form.register('reason')}
            label={
              <>
                {t(`reason.${one}`)}
                {isExplained(one) ? <span className="block text-sm text-muted-foreground">{t(`reason.${one}Text`)}</span> : null}
              </>
            }
          />
        ))}
      </ChoiceGroup>
      <FormField
        label={t('text')}
        aside={counter ?? (reason === 'other' ? null : t('optional'))}
        help={t('textHelp')}
        error={errorOf('text')}
        live
      >
        {(control) => <Textarea rows={3} {...control} {...form.register('text')} />}
      </FormField>
      <Failure error={placed ? null : mutation.error} fallback={t('failed')} />
      <p className="text-sm text-muted-foreground">{t('next')}</p>
      <PendingButton type="submit" size="lg" className="w-full" pending={mutation.isPending} pendingText={tCommon('sending')}>
        {t('submit')}
      </PendingButton>
    </form>
  );
}
