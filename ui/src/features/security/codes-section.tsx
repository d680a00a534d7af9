import { useState } from 'react';
import { Note } from '@/components/note';
import { Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { security } from '@/i18n/en/security';
import { CodesDialog } from './codes-dialog';
import { ConfirmRemoval } from './confirm-removal';
import { useNewCodes } from './use-factor';

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
