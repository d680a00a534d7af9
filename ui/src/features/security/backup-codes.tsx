import { Check, Download, Printer } from 'lucide-react';
import { CODE, STACK } from '@/components/classes';
import { CopyButton } from '@/components/copy-button';
import { Button } from '@/components/ui/button';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { security } from '@/i18n/en/security';
import { cn } from '@/lib/cn';
import './print.css';

/** The same in all languages, because people look for it years later. */
const FILE = 'amanat-backup-codes.txt';

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = FILE;
  link.click();
  URL.revokeObjectURL(url);
}

/** Backup codes can be shown only once. Printed, they are alone on the page. */
export function BackupCodes({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  const t = useTexts(security);
  const { username } = useMe();
  const title = t('codes.file', { name: username });
  const text = [title, t('codes.fileText'), '', ...codes, ''].join('\n');
  return (
    <div className={STACK} data-slot="backup-codes">
      <div className="hidden print:block">
        <p className="font-semibold">{title}</p>
        <p>{t('codes.fileText')}</p>
      </div>
      <ul
        className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-md border border-border-strong bg-muted px-5 py-4 max-xs:px-3 print:border-0 print:bg-transparent print:p-0"
        aria-label={t('codes.list')}
      >
        {codes.map((code) => (
          <li key={code} className={cn(CODE, 'text-lg max-xs:text-base')}>
            {code}
          </li>
        ))}
      </ul>
      <div className="flex min-w-0 flex-wrap items-center gap-3 print:hidden">
        <CopyButton value={codes.join('\n')} label="" done={t('codes.copied')}>
          {t('codes.copy')}
        </CopyButton>
        <Button variant="outline" className="px-3 text-sm/[1.3]" onClick={() => download(text)}>
          <Download aria-hidden="true" />
          {t('codes.download')}
        </Button>
        <Button variant="outline" className="px-3 text-sm/[1.3]" onClick={() => window.print()}>
          <Printer aria-hidden="true" />
          {t('codes.print')}
        </Button>
      </div>
      <div className="border-t pt-4 print:hidden">
        <Button className="max-xs:w-full" onClick={onSaved}>
          <Check aria-hidden="true" />
          {t('codes.saved')}
        </Button>
      </div>
    </div>
  );
}
