import { Link } from '@tanstack/react-router';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { OutcomePanel } from '@/components/outcome-panel';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { account } from '@/i18n/en/account';
import { common } from '@/i18n/en/common';
import { AuthPage, WordsAside } from './auth-page';
import { useLinkToken } from './link-token';
import { isBadToken, useConfirmWithdrawal } from './mail-links';

function ToBalance() {
  const t = useTexts(account);
  return (
    <Button asChild>
      <Link to="/balance">{t('confirm.balance')}</Link>
    </Button>
  );
}

function Confirmation({ token }: { token: string }) {
  const t = useTexts(account);
  const c = useTexts(common);
  const confirm = useConfirmWithdrawal(token);
  if (confirm.isSuccess) {
    return (
      <OutcomePanel kind="done" title={t('confirm.done')} text={t('confirm.doneText')}>
        <ToBalance />
      </OutcomePanel>
    );
  }
  if (token === '') return <OutcomePanel kind="bad" title={t('confirm.missing')} text={t('verify.missingText')} />;
  if (isBadToken(confirm.error)) {
    return (
      <OutcomePanel key="over" kind="bad" title={t('confirm.over')} text={t('confirm.overText')}>
        <ToBalance />
      </OutcomePanel>
    );
  }
  return (
    <div className={STACK}>
      <Failure error={confirm.error} fallback={t('failed')} />
      <PendingButton
        size="lg"
        className="w-full"
        pending={confirm.isPending}
        pendingText={c('sending')}
        onClick={() => confirm.mutate()}
      >
        {t('confirm.submit')}
      </PendingButton>
    </div>
  );
}

/** /confirm-withdrawal: one press, so that a mail program that opens every link confirms nothing. */
export function ConfirmWithdrawalPage() {
  const t = useTexts(account);
  const token = useLinkToken();
  return (
    <AuthPage
      title={t('confirm.title')}
      lede={t('confirm.lede')}
      aside={<WordsAside title={t('confirm.aside')} lines={[t('confirm.aside.1'), t('confirm.aside.2'), t('confirm.aside.3')]} />}
    >
      <Confirmation key={token} token={token} />
    </AuthPage>
  );
}
