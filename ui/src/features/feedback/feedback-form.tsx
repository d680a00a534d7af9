import type { ReactNode, SyntheticEvent } from 'react';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { OutcomePanel } from '@/components/outcome-panel';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { feedback } from '@/i18n/en/feedback';
import { cn } from '@/lib/cn';

type Props = {
  kind: 'contact' | 'bug';
  form: { submit: (event: SyntheticEvent) => void; error: unknown; busy: boolean; sent: boolean; again: () => void };
  children: ReactNode;
};

export function FeedbackForm({ kind, form, children }: Props) {
  const t = useTexts(feedback);
  const tCommon = useTexts(common);
  if (form.sent) {
    return (
      <OutcomePanel kind="done" title={t(`${kind}.done`)} text={t(`${kind}.doneText`)}>
        <Button variant="outline" onClick={form.again}>
          {t('another')}
        </Button>
      </OutcomePanel>
    );
  }
  return (
    <form className={cn(STACK, 'max-w-160 gap-6')} noValidate onSubmit={form.submit}>
      {children}
      <Failure error={form.error} fallback={t(`${kind}.failed`)} />
      <div>
        <PendingButton type="submit" pending={form.busy} pendingText={tCommon('sending')}>
          {t(`${kind}.submit`)}
        </PendingButton>
      </div>
    </form>
  );
}
