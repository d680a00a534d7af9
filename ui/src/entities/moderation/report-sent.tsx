import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ban } from 'lucide-react';
import { OutcomePanel } from '@/components/outcome-panel';
import { PendingButton } from '@/components/pending-button';
import { Button, buttonVariants } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { report } from '@/i18n/en/report';
import { type Blockable, relationQuery, useBlock } from './blocks';

function BlockToo({ person }: { person: Blockable }) {
  const t = useTexts(report);
  const tCommon = useTexts(common);
  const { data: relation } = useQuery(relationQuery(person._id));
  const { block } = useBlock(person);
  const name = person.username;
  if (block.isSuccess) {
    return (
      <p className="font-semibold" role="status" aria-live="polite">
        {t('blockedToo', { name })}
      </p>
    );
  }
  if (person.isStaff || relation?.block === 'mine') return null;
  return (
    <PendingButton
      variant="destructive"
      pending={block.isPending}
      pendingText={tCommon('sending')}
      onClick={() => block.mutate()}
    >
      <Ban aria-hidden="true" />
      {t('blockToo', { name })}
    </PendingButton>
  );
}

/** Replaces the sent form: thanks, and what else can be done. */
export function ReportSent({ person, onDone }: { person: Blockable; onDone: () => void }) {
  const t = useTexts(report);
  return (
    <OutcomePanel kind="done" title={t('sent')} text={t('sentText')}>
      <Button onClick={onDone}>{t('done')}</Button>
      <BlockToo person={person} />
      <Link to="/reports" className={buttonVariants({ variant: 'link' })} onClick={onDone}>
        {t('toReports')}
      </Link>
    </OutcomePanel>
  );
}
