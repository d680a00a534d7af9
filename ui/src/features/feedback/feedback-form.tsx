import type { ReactNode, SyntheticEvent } from 'react';
import { Failure } from '@/components/failure';
import { Outcome } from '@/components/outcome';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { feedback } from '@/i18n/en/feedback';

type Props = {
  kind: 'contact' | 'bug';
  form: { onSubmit: (event: SyntheticEvent) => void; error: unknown; busy: boolean; sent: boolean; again: () => void };
  /** The fields. */
  children: ReactNode;
};

/** The fields with their button, and thanks in their place when they are sent. */
export function FeedbackForm({ kind, form, children }: Props) {
  const t = useTexts(feedback);
  const c = useTexts(common);
  if (form.sent) {
    return (
      <Outcome kind="done" title={t(`${kind}.done`)} text={t(`${kind}.doneText`)}>
        <Button variant="line" onClick={form.again}>
          {t('another')}
        </Button>
      </Outcome>
    );
  }
  return (
    <form className="grid max-w-160 min-w-0 content-start gap-6 *:min-w-0" noValidate onSubmit={form.onSubmit}>
      {children}
      <Failure error={form.error} fallback={t(`${kind}.failed`)} />
      <div>
        <Button type="submit" busy={form.busy} busyText={c('sending')}>
          {t(`${kind}.submit`)}
        </Button>
      </div>
    </form>
  );
}
