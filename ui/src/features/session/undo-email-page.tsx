import { Link } from '@tanstack/react-router';
import { OutcomePanel } from '@/components/outcome-panel';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { account } from '@/i18n/en/account';
import { emailLinks } from '@/i18n/en/email-links';
import { AuthPage, WordsAside } from './auth-page';
import { LinkAction } from './link-action';
import { useLinkToken } from './link-token';
import { useUndoEmail } from './mail-links';

function Undo({ token }: { token: string }) {
  const t = useTexts(account);
  const tEmailLinks = useTexts(emailLinks);
  return (
    <LinkAction
      token={token}
      call={useUndoEmail(token)}
      submit={tEmailLinks('undo.submit')}
      destructive
      done={() => <OutcomePanel kind="done" title={tEmailLinks('undo.done')} text={tEmailLinks('undo.doneText')} />}
      over={{
        title: tEmailLinks('undo.over'),
        text: tEmailLinks('undo.overText'),
        way: (
          <Button asChild>
            <Link to="/contactus">{t('stop.support')}</Link>
          </Button>
        ),
      }}
    />
  );
}

/** /undo-email: explains the action and does it on a press. Opening the page does nothing. */
export function UndoEmailPage() {
  const t = useTexts(account);
  const tEmailLinks = useTexts(emailLinks);
  const token = useLinkToken();
  return (
    <AuthPage
      title={tEmailLinks('undo.title')}
      lede={tEmailLinks('undo.lede')}
      aside={<WordsAside title={t('stop.aside')} lines={[tEmailLinks('undo.aside.1'), t('stop.aside.2'), t('stop.aside.3')]} />}
    >
      <Undo key={token} token={token} />
    </AuthPage>
  );
}
