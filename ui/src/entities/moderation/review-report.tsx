import type { Review } from '@/api/contract';
import { useTexts } from '@/i18n';
import { moderation } from '@/i18n/en/moderation';
import { ReportButton } from './report-button';

/** Reports a review, beside it. */
export function ReviewReport({ review: { _id, reviewer } }: { review: Review }) {
  const t = useTexts(moderation);
  return (
    <ReportButton
      className="-my-2 -mr-3 text-muted-foreground hover:text-foreground"
      about={{ subject: 'review', id: _id, person: reviewer }}
      label={t('report.review', { name: reviewer.username })}
    />
  );
}
