import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { OutcomePanel } from '@/components/outcome-panel';
import { PendingButton } from '@/components/pending-button';
import { useTexts } from '@/i18n';
import { account } from '@/i18n/en/account';
import { common } from '@/i18n/en/common';
import { isBadToken } from './mail-links';

type Props<T> = {
  token: string;
  call: UseMutationResult<T, Error, void>;
  submit: string;
  destructive?: boolean;
  done: (answer: T) => ReactNode;
  over: { title: string; text: string; way: ReactNode };
};

/** The action of a mailed link, by one press, and its result. */
export function LinkAction<T>({ token, call, submit, destructive = false, done, over }: Props<T>) {
  const t = useTexts(account);
  const tCommon = useTexts(common);
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
        pendingText={tCommon('sending')}
        onClick={() => call.mutate()}
      >
        {submit}
      </PendingButton>
    </div>
  );
}
