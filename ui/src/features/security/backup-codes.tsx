import { Check, Download, Printer } from 'lucide-react';
import { CODE, STACK } from '@/components/classes';
import { CopyButton } from '@/components/copy-button';
import { Button } from '@/components/ui/button';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { security } from '@/i18n/en/security';
import { cn } from '@/lib/cn';
import './print.css';
import { type ReactNode, useState } from 'react';
import { DialogPanel } from '@/components/dialog-panel';
import { Note } from '@/components/note';
import { Section } from '@/components/section';
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from '@/components/ui/dialog';
import { ConfirmRemoval } from './confirm-removal';
import { useNewCodes } from './queries';

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
function BackupCodes({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
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

type Props = {
  title: string;
  description?: ReactNode;
  codes: readonly string[] | null;
  step?: string;
  onClose: () => void;
  children: ReactNode;
};

/** A dialog that may end with new backup codes, which only the user's confirmation closes. */
export function CodesDialog({ title, description, codes, step, onClose, children }: Props) {
  const t = useTexts(security);
  if (!codes) {
    return (
      <Dialog open onOpenChange={(open) => (open ? null : onClose())}>
        <DialogPanel title={title} description={description}>
          {children}
        </DialogPanel>
      </Dialog>
    );
  }
  return (
    <Dialog open>
      <DialogContent showCloseButton={false}>
        <DialogHeader>
          {step ? <p className="text-sm text-muted-foreground">{step}</p> : null}
          <DialogTitle className="pr-0">{t('codes.title')}</DialogTitle>
          <DialogDescription>{t('codes.text')}</DialogDescription>
        </DialogHeader>
        <BackupCodes codes={codes} onSaved={onClose} />
      </DialogContent>
    </Dialog>
  );
}

const FEW = 2;

function NewCodes({ onClose }: { onClose: () => void }) {
  const t = useTexts(security);
  const [codes, setCodes] = useState<string[] | null>(null);
  const renew = useNewCodes(setCodes);
  if (codes) {
    return (
      <CodesDialog title={t('codes.title')} codes={codes} onClose={onClose}>
        {null}
      </CodesDialog>
    );
  }
  return (
    <ConfirmRemoval title={t('newCodes.title')} yes={t('newCodes')} no={t('newCodes.keep')} mutation={renew} onClose={onClose}>
      {t('newCodes.text')}
    </ConfirmRemoval>
  );
}

export function CodesSection({ left }: { left: number }) {
  const t = useTexts(security);
  const [asked, setAsked] = useState(false);
  return (
    <Section title={t('codes')}>
      <p className="text-sm text-muted-foreground">{t('codesText')}</p>
      <p className="mt-3 font-semibold lining-nums tabular-nums">{t('codesLeft', { count: left })}</p>
      {left <= FEW ? (
        <Note kind="wait" className="mt-3">
          {t('codesFew')}
        </Note>
      ) : null}
      <Button variant="outline" className="mt-4" onClick={() => setAsked(true)}>
        {t('newCodes')}
      </Button>
      {asked ? <NewCodes onClose={() => setAsked(false)} /> : null}
    </Section>
  );
}
