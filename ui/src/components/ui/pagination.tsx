import { ArrowLeft, ArrowRight } from 'lucide-react';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';

type Props = { page: number; pages: number; onPage: (page: number) => void; label: string };

/** "Previous", "Page x of y", "Next". Nothing when there is one page. */
export function Pagination({ page, pages, onPage, label }: Props) {
  const t = useTexts(common);
  if (pages <= 1) return null;
  return (
    <nav data-slot="pagination" className="pager" aria-label={label}>
      <button type="button" className="btn btn--line" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ArrowLeft className="i16" aria-hidden="true" />
        {t('previous')}
      </button>
      <span aria-live="polite">{t('pageOf', { page, pages })}</span>
      <button type="button" className="btn btn--line" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {t('next')}
        <ArrowRight className="i16" aria-hidden="true" />
      </button>
    </nav>
  );
}
