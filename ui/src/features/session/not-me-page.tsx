import { Link } from '@tanstack/react-router';
import { OutcomePanel } from '@/components/outcome-panel';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { account } from '@/i18n/en/account';
import { AuthPage, WordsAside } from './auth-page';
import { LinkAction } from './link-action';
import { useLinkToken } from './link-token';
import { useStopWithdrawal } from './mail-links';

function Stop({ token }: { token: string }) {
  const t = useTexts(account);
  return (
    <LinkAction
      token={token}
      call={useStopWithdrawal(token)}
      submit={t('stop.submit')}
      destructive
      done={({ outcome }) => (
        <OutcomePanel kind={outcome === 'sent' ? 'bad' : 'done'} title={t(`stop.${outcome}`)} text={t(`stop.${outcome}Text`)}>
          {outcome === 'cancelled' || outcome === 'cancelling' ? null : (
            <Button asChild>
              <Link to="/contactus">{t('stop.support')}</Link>
            </Button>
          )}
        </OutcomePanel>
      )}
      over={{
        title: t('stop.over'),
        text: t('stop.overText'),
        way: (
          <Button asChild>
            <Link to="/forgot-password">{t('stop.reset')}</Link>
          </Button>
        ),
      }}
    />
  );
}

/** /not-me: says what will happen, and does it with one press. Opening the page does nothing. */
export function NotMePage() {
  const t = useTexts(account);
  const token = useLinkToken();
  return (
    <AuthPage
      title={t('stop.title')}
      lede={t('stop.lede')}
      aside={<WordsAside title={t('stop.aside')} lines={[t('stop.aside.1'), t('stop.aside.2'), t('stop.aside.3')]} />}
    >
      <Stop key={token} token={token} />
    </AuthPage>
  );
}
