import { ArrowLeft, ArrowRight } from 'lucide-react';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { Button } from './button';

const STEP = 'min-w-11 gap-1.5 px-2.5 tabular-nums';

type Props = { page: number; pages: number; onPage: (page: number) => void; label: string };

/** "Previous", "Page x of y", "Next". Nothing when there is one page. */
export function Pagination({ page, pages, onPage, label }: Props) {
  const t = useTexts(common);
  if (pages <= 1) return null;
  return (
    <nav data-slot="pagination" className="pager" aria-label={label}>
      <Button variant="outline" className={STEP} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ArrowLeft aria-hidden="true" />
        {t('previous')}
      </Button>
      <span aria-live="polite">{t('pageOf', { page, pages })}</span>
      <Button variant="outline" className={STEP} disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {t('next')}
        <ArrowRight aria-hidden="true" />
      </Button>
    </nav>
  );
}
