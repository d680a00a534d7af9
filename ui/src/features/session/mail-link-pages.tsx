import type { UseMutationResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { OutcomePanel } from '@/components/outcome-panel';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { useMaybeMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { account, emailLinks } from '@/i18n/en/account';
import { HOME } from '@/lib/redirect';
import { AuthPage, WordsAside } from './auth-page';
import {
  isBadToken,
  useConfirmEmail,
  useConfirmWithdrawal,
  useLinkToken,
  useRemoveFactor,
  useStopWithdrawal,
  useUndoEmail,
  useUnsubscribe,
} from './mail-links';

type Props<T> = {
  token: string;
  call: UseMutationResult<T, Error, void>;
  submit: string;
  destructive?: boolean;
  done: (answer: T) => ReactNode;
  over: { title: string; text: string; way: ReactNode };
};

/** The action of a mailed link, by one press, and its result. */
function LinkAction<T>({ token, call, submit, destructive = false, done, over }: Props<T>) {
  const t = useTexts(account);
  if (call.isSuccess) return done(call.data);
  if (token === '') return <OutcomePanel kind="bad" title={t('verify.missing')} text={t('verify.missingText')} />;
  if (isBadToken(call.error)) {
    return (
      <OutcomePanel key="over" kind="bad" title={over.title} text={over.text}>
        {over.way}
      </OutcomePanel>
    );
  }
  return (
    <div className={STACK}>
      <Failure error={call.error} fallback={t('failed')} />
      <PendingButton
        size="lg"
        className="w-full"
        variant={destructive ? 'destructive' : 'default'}
        pending={call.isPending}
        onClick={() => call.mutate()}
      >
        {submit}
      </PendingButton>
    </div>
  );
}

function EmailConfirmation({ token }: { token: string }) {
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
      <EmailConfirmation key={token} token={token} />
    </AuthPage>
  );
}

function WithdrawalConfirmation({ token }: { token: string }) {
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
      <WithdrawalConfirmation key={token} token={token} />
    </AuthPage>
  );
}

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

function Unsubscribe({ token }: { token: string }) {
  const t = useTexts(account);
  const stop = useUnsubscribe(token);
  if (stop.isSuccess) return <OutcomePanel kind="done" title={t('mails.done')} text={t('mails.doneText')} />;
  if (token === '' || isBadToken(stop.error))
    return <OutcomePanel kind="bad" title={t('mails.over')} text={t('mails.overText')} />;
  return (
    <div className={STACK}>
      <Failure error={stop.error} fallback={t('failed')} />
      <PendingButton size="lg" className="w-full" pending={stop.isPending} onClick={() => stop.mutate()}>
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
      <Unsubscribe key={token} token={token} />
    </AuthPage>
  );
}
