import { Link } from '@tanstack/react-router';
import { OutcomePanel } from '@/components/outcome-panel';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { account } from '@/i18n/en/account';
import { AuthPage, WordsAside } from './auth-page';
import { LinkAction } from './link-action';
import { useLinkToken } from './link-token';
import { useUndoEmail } from './mail-links';

function Undo({ token }: { token: string }) {
  const t = useTexts(account);
  return (
    <LinkAction
      token={token}
      call={useUndoEmail(token)}
      submit={t('undo.submit')}
      destructive
      done={() => <OutcomePanel kind="done" title={t('undo.done')} text={t('undo.doneText')} />}
      over={{
        title: t('undo.over'),
        text: t('undo.overText'),
        way: (
          <Button asChild>
            <Link to="/contactus">{t('stop.support')}</Link>
          </Button>
        ),
      }}
    />
  );
}

/** /undo-email: says what will happen, and does it with one press. Opening the page does nothing. */
export function UndoEmailPage() {
  const t = useTexts(account);
  const token = useLinkToken();
  return (
    <AuthPage
      title={t('undo.title')}
      lede={t('undo.lede')}
      aside={<WordsAside title={t('stop.aside')} lines={[t('undo.aside.1'), t('stop.aside.2'), t('stop.aside.3')]} />}
    >
      <Undo key={token} token={token} />
    </AuthPage>
  );
}
