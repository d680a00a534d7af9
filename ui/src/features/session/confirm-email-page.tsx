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
  const e = useTexts(emailLinks);
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
      submit={e('email.submit')}
      done={() => (
        <OutcomePanel kind="done" title={e('email.done')} text={e('email.doneText')}>
          {onward}
        </OutcomePanel>
      )}
      over={{ title: e('email.over'), text: e('email.overText'), way: onward }}
    />
  );
}

/**
 * /confirm-email: changes the address on a press, not on opening, because some mail programs open
 * every link.
 */
export function ConfirmEmailPage() {
  const e = useTexts(emailLinks);
  const token = useLinkToken();
  return (
    <AuthPage
      title={e('email.title')}
      lede={e('email.lede')}
      aside={<WordsAside title={e('email.aside')} lines={[e('email.aside.1'), e('email.aside.2'), e('email.aside.3')]} />}
    >
      <Confirmation key={token} token={token} />
    </AuthPage>
  );
}
