import { Check } from 'lucide-react';
import type { AdminCase } from '@/api/contract';
import { PendingButton } from '@/components/pending-button';
import { useTexts } from '@/i18n';
import { adminReports } from '@/i18n/en/admin-reports';
import { common } from '@/i18n/en/common';
import { ConfirmDialog } from '../review/confirm-dialog';
import { ReasonDialog } from '../review/reason-dialog';
import { ActDialog } from './act-dialog';
import type { useCaseReview } from './use-case-review';

export type Asked = 'act' | 'dismiss' | 'uphold' | 'overturn';

const MAX_ANSWER = 1000;

type Props = {
  row: AdminCase;
  asked: Asked | null;
  onAsk: (asked: Asked | null) => void;
  state: Pick<ReturnType<typeof useCaseReview>, 'busy' | 'decide' | 'answer'>;
};

export function CaseQuestions({ row, asked, onAsk, state: { busy, decide, answer } }: Props) {
  const t = useTexts(adminReports);
  const tCommon = useTexts(common);
  const name = row.accused.username;
  const of = (one: Asked) => ({ open: asked === one, onOpenChange: (wanted: boolean) => onAsk(wanted ? one : null) });
  const answered = {
    field: { label: t('answer', { name }), maxLength: MAX_ANSWER },
    missing: t('rule.answer'),
    variant: 'default' as const,
    busy,
  };
  return (
    <>
      <ActDialog {...of('act')} row={row} busy={busy} onDecide={decide} />
      <ConfirmDialog
        {...of('dismiss')}
        title={t('dismiss.ask')}
        text={t('dismiss.text', { name })}
        act={(focus) => (
          <PendingButton
            ref={focus}
            pending={busy}
            pendingText={tCommon('sending')}
            onClick={() => decide({ action: 'dismiss', reason: '' })}
          >
            <Check aria-hidden="true" />
            {t('dismiss')}
          </PendingButton>
        )}
      />
      <ReasonDialog
        {...of('uphold')}
        {...answered}
        title={t('uphold.ask')}
        text={t('uphold.text', { name })}
        action={t('uphold')}
        onAnswer={(words) => answer({ overturn: false, answer: words })}
      />
      <ReasonDialog
        {...of('overturn')}
        {...answered}
        title={t('overturn.ask')}
        text={t('overturn.text', { name })}
        action={t('overturn')}
        onAnswer={(words) => answer({ overturn: true, answer: words })}
      />
    </>
  );
}
