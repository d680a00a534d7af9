import { Link } from '@tanstack/react-router';
import { OutcomePanel } from '@/components/outcome-panel';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { account } from '@/i18n/en/account';
import { emailLinks } from '@/i18n/en/email-links';
import { AuthPage, WordsAside } from './auth-page';
import { LinkAction } from './link-action';
import { useLinkToken } from './link-token';
import { useRemoveFactor, useStopWithdrawal } from './mail-links';

/** It is too late for the link: a new password helps. */
function useExpired() {
  const t = useTexts(account);
  return {
    title: t('stop.over'),
    text: t('stop.overText'),
    way: (
      <Button asChild>
        <Link to="/forgot-password">{t('stop.reset')}</Link>
      </Button>
    ),
  };
}

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
      over={useExpired()}
    />
  );
}

/** /not-me: explains the action and does it on a press. Opening the page does nothing. */
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

function RemoveFactor({ token }: { token: string }) {
  const t = useTexts(emailLinks);
  return (
    <LinkAction
      token={token}
      call={useRemoveFactor(token)}
      submit={t('factor.submit')}
      destructive
      done={() => <OutcomePanel kind="done" title={t('factor.done')} text={t('factor.doneText')} />}
      over={useExpired()}
    />
  );
}

/** /not-my-factor: the same for two-step login turned on by somebody else. */
export function NotMyFactorPage() {
  const t = useTexts(account);
  const tEmailLinks = useTexts(emailLinks);
  const token = useLinkToken();
  return (
    <AuthPage
      title={tEmailLinks('factor.title')}
      lede={tEmailLinks('factor.lede')}
      aside={<WordsAside title={t('stop.aside')} lines={[tEmailLinks('factor.aside.1'), t('stop.aside.2'), t('stop.aside.3')]} />}
    >
      <RemoveFactor key={token} token={token} />
    </AuthPage>
  );
}
