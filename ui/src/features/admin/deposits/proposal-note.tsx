import type { AdminDeposit } from '@/api/contract';
import { Note } from '@/components/note';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { centsFromWire, usd } from '@/lib/money';

type Props = {
  proposal: NonNullable<AdminDeposit['awaitingConfirmation']>;
  own: boolean;
  disabled: boolean;
  onOther: () => void;
};

export function ProposalNote({ proposal, own, disabled, onOther }: Props) {
  const t = useTexts(admin);
  const sum = usd(centsFromWire(proposal.amount));
  return (
    <Note kind="wait">
      <p>{own ? t('confirm.own', { sum }) : t('confirm.by', { name: proposal.by.username, sum })}</p>
      {proposal.reason === '' ? null : <p>{t('confirm.reason', { reason: proposal.reason })}</p>}
      <Button variant="link" disabled={disabled} onClick={onOther}>
        {t('confirm.other')}
      </Button>
    </Note>
  );
}
