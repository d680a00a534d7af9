import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { OutcomePanel } from '@/components/outcome-panel';
import { PendingButton } from '@/components/pending-button';
import { useTexts } from '@/i18n';
import { account } from '@/i18n/en/account';
import { common } from '@/i18n/en/common';
import { AuthPage, WordsAside } from './auth-page';
import { isBadToken, useUnsubscribe } from './mail-links';

function Stop({ token }: { token: string }) {
  const t = useTexts(account);
  const tCommon = useTexts(common);
  const stop = useUnsubscribe(token);
  if (stop.isSuccess) return <OutcomePanel kind="done" title={t('mails.done')} text={t('mails.doneText')} />;
  if (token === '' || isBadToken(stop.error))
    return <OutcomePanel kind="bad" title={t('mails.over')} text={t('mails.overText')} />;
  return (
    <div className={STACK}>
      <Failure error={stop.error} fallback={t('failed')} />
      <PendingButton
        size="lg"
        className="w-full"
        pending={stop.isPending}
        pendingText={tCommon('sending')}
        onClick={() => stop.mutate()}
      >
        {t('mails.submit')}
      </PendingButton>
    </div>
  );
}

/** /unsubscribe: explains which mails stop, and stops them on a press. */
export function UnsubscribePage({ token = '' }: { token: string | undefined }) {
  const t = useTexts(account);
  return (
    <AuthPage
      title={t('mails.title')}
      lede={t('mails.lede')}
      aside={<WordsAside title={t('mails.aside')} lines={[t('mails.aside.1'), t('mails.aside.2'), t('mails.aside.3')]} />}
    >
      <Stop key={token} token={token} />
    </AuthPage>
  );
}
