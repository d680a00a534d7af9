import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { STAND_IN, STAND_IN_WORDS } from '@/components/classes';
import { Page } from '@/components/page';
import { Button } from '@/components/ui/button';
import { Spinner } from '@/components/ui/spinner';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { shell } from '@/i18n/en/shell';
import { cn } from '@/lib/cn';
import { errorAdvice, errorText } from '@/lib/errors';
import { isStaleChunk, mayReload, reloadOnce } from '@/lib/stale-chunk';

/** Shown during the session check and while a page without a skeleton loads. */
export function LoadingPage() {
  const t = useTexts(shell);
  return (
    <main
      id="main"
      tabIndex={-1}
      // No spinner for short waits.
      className={cn(STAND_IN, 'animate-[appear_1ms_150ms_backwards] outline-none')}
    >
      <h1 className="sr-only">{t('checking')}</h1>
      <Spinner label={t('checking')} />
    </main>
  );
}

/** Replaces a failed page. If its chunk is gone since a deploy, the page is reloaded once. */
export function ErrorPage(props: ErrorComponentProps) {
  const [stale] = useState(() => isStaleChunk(props.error) && mayReload());
  useEffect(() => {
    if (stale) reloadOnce();
  }, [stale]);
  return stale ? <LoadingPage /> : <FailedPage {...props} />;
}

/** The failure and Retry, which runs by itself once the browser is online. */
function FailedPage({ error, reset }: ErrorComponentProps) {
  const t = useTexts(shell);
  const tCommon = useTexts(common);
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  const retry = () => {
    // Some browsers never retry a failed chunk.
    if (isStaleChunk(error) && navigator.onLine) {
      window.location.reload();
      return;
    }
    queries.reset();
    reset();
    void router.invalidate();
  };
  const retryNow = useEffectEvent(retry);
  useEffect(() => {
    window.addEventListener('online', retryNow);
    return () => window.removeEventListener('online', retryNow);
  }, []);
  return (
    <Page title={t('failed.page')} className={STAND_IN}>
      <div data-slot="failed-page" className={STAND_IN_WORDS} role="alert">
        <h1 className="font-display text-display-md">{t('failed.title')}</h1>
        <p className="text-destructive">{tCommon('error', { message: errorText(error) })}</p>
        <p className="text-muted-foreground">{errorAdvice(error)}</p>
        <Button onClick={retry}>{tCommon('retry')}</Button>
      </div>
    </Page>
  );
}
