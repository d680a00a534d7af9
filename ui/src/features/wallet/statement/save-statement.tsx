import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Printer, Sheet } from 'lucide-react';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { statement } from '@/i18n/en/statement';
import { currentLanguage } from '@/i18n/language';
import { saveFile } from '@/lib/save-file';
import { statementFile } from './statement-query';
import type { StatementSearch } from './statement-search';

export function SaveStatement({ search }: { search: StatementSearch }) {
  const t = useTexts(statement);
  const tCommon = useTexts(common);
  const { mutate, isPending } = useMutation({
    mutationFn: () => saveFile(statementFile(search, currentLanguage())),
    meta: { fallback: () => t('saveFailed') },
  });
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant="outline" asChild>
        <Link to="/balance/statement/print" search={{ ...search, page: undefined }}>
          <Printer aria-hidden="true" />
          {t('print')}
        </Link>
      </Button>
      <PendingButton variant="outline" pending={isPending} pendingText={tCommon('loading')} onClick={() => mutate()}>
        <Sheet aria-hidden="true" />
        {t('csv')}
      </PendingButton>
    </div>
  );
}
