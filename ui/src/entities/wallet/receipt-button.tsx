import { useMutation } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { PendingButton } from '@/components/pending-button';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { statement } from '@/i18n/en/statement';
import { currentLanguage } from '@/i18n/language';
import { saveFile } from '@/lib/save-file';

/** Downloads the receipt of a deal or a deposit, in the language of the page. */
export function ReceiptButton({ path }: { path: string }) {
  const t = useTexts(statement);
  const c = useTexts(common);
  const { mutate, isPending } = useMutation({
    mutationFn: () => saveFile(`${path}?language=${currentLanguage()}`),
    meta: { fallback: () => t('saveFailed') },
  });
  return (
    <div data-slot="receipt" className="mt-2">
      <PendingButton variant="link" pending={isPending} pendingText={c('loading')} onClick={() => mutate()}>
        <FileText aria-hidden="true" />
        {t('receipt')}
      </PendingButton>
    </div>
  );
}
