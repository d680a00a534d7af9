import { Link } from '@tanstack/react-router';
import { OutcomePanel } from '@/components/outcome-panel';
import { Button } from '@/components/ui/button';
import { useMaybeMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { account } from '@/i18n/en/account';
import { emailLinks } from '@/i18n/en/email-links';
import { HOME } from '@/lib/redirect';
import { AuthPage, WordsAside } from './auth-page';
import { LinkAction } from './link-action';
import { useLinkToken } from './link-token';
import { useConfirmEmail } from './mail-links';

function Confirmation({ token }: { token: string }) {
  const t = useTexts(account);
  const tEmailLinks = useTexts(emailLinks);
  const me = useMaybeMe();
  const onward = (
    <Button asChild>
      <Link to={me ? HOME : '/login'}>{t(me ? 'toDashboard' : 'toLogin')}</Link>
    </Button>
  );
  return (
    <LinkAction
      token={token}
      call={useConfirmEmail(token)}
      submit={tEmailLinks('email.submit')}
      done={() => (
        <OutcomePanel kind="done" title={tEmailLinks('email.done')} text={tEmailLinks('email.doneText')}>
          {onward}
        </OutcomePanel>
      )}
      over={{ title: tEmailLinks('email.over'), text: tEmailLinks('email.overText'), way: onward }}
    />
  );
}

/** /confirm-email: works on a press, because some mail programs open every link. */
export function ConfirmEmailPage() {
  const t = useTexts(emailLinks);
  const token = useLinkToken();
  return (
    <AuthPage
      title={t('email.title')}
      lede={t('email.lede')}
      aside={<WordsAside title={t('email.aside')} lines={[t('email.aside.1'), t('email.aside.2'), t('email.aside.3')]} />}
    >
      <Confirmation key={token} token={token} />
    </AuthPage>
  );
}
