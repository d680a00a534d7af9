import { Link } from '@tanstack/react-router';
import { OutcomePanel } from '@/components/outcome-panel';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { account } from '@/i18n/en/account';
import { AuthPage, WordsAside } from './auth-page';
import { LinkAction } from './link-action';
import { useLinkToken } from './link-token';
import { useConfirmWithdrawal } from './mail-links';

function Confirmation({ token }: { token: string }) {
  const t = useTexts(account);
  const toBalance = (
    <Button asChild>
      <Link to="/balance">{t('confirm.balance')}</Link>
    </Button>
  );
  return (
    <LinkAction
      token={token}
      call={useConfirmWithdrawal(token)}
      submit={t('confirm.submit')}
      done={() => (
        <OutcomePanel kind="done" title={t('confirm.done')} text={t('confirm.doneText')}>
          {toBalance}
        </OutcomePanel>
      )}
      over={{ title: t('confirm.over'), text: t('confirm.overText'), way: toBalance }}
    />
  );
}

/** /confirm-withdrawal: confirms on a press, because some mail programs open every link. */
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
