import { useMutation } from '@tanstack/react-query';
import { FileText, Sheet } from 'lucide-react';
import { PendingButton } from '@/components/pending-button';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { statement } from '@/i18n/en/statement';
import { currentLanguage } from '@/i18n/language';
import { saveFile } from '@/lib/save-file';
import { statementFile } from './statement-query';
import type { StatementSearch } from './statement-search';

/** Downloads of what the page shows, all of its pages. */
export function SaveStatement({ search }: { search: StatementSearch }) {
  const t = useTexts(statement);
  const c = useTexts(common);
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (format: 'csv' | 'pdf') => saveFile(statementFile(format, search, currentLanguage())),
    meta: { fallback: () => t('saveFailed') },
  });
  return (
    <div className="flex flex-wrap gap-2">
      <PendingButton
        variant="outline"
        pending={isPending && variables === 'pdf'}
        pendingText={c('loading')}
        onClick={() => mutate('pdf')}
      >
        <FileText aria-hidden="true" />
        {t('pdf')}
      </PendingButton>
      <PendingButton
        variant="outline"
        pending={isPending && variables === 'csv'}
        pendingText={c('loading')}
        onClick={() => mutate('csv')}
      >
        <Sheet aria-hidden="true" />
        {t('csv')}
      </PendingButton>
    </div>
  );
}
