import type { Review } from '@/api/contract';
import { useTexts } from '@/i18n';
import { moderation } from '@/i18n/en/moderation';
import { ReportButton } from './report-button';

/** Reports a review. When its author closes their account, the text is erased. */
export function ReviewReport({ review: { _id, reviewer, comment } }: { review: Review }) {
  const t = useTexts(moderation);
  if (comment === '' || reviewer.closed) return null;
  return (
    <ReportButton
      className="-my-2 -mr-3 text-muted-foreground hover:text-foreground"
      about={{ subject: 'review', id: _id, person: reviewer }}
      label={t('report.review', { name: reviewer.username })}
    />
  );
}
