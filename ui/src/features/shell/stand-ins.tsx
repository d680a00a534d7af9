import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Page } from '@/components/page';
import { Button } from '@/components/ui/button';
import { Spinner } from '@/components/ui/spinner';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { shell } from '@/i18n/en/shell';
import { ApiError, errorAdvice, errorText } from '@/lib/errors';
import { isStaleChunk, mayReload, reloadOnce } from '@/lib/stale-chunk';

/** The centred spinner while the session is checked and while a page without a skeleton loads. */
export function LoadingPage() {
  const t = useTexts(shell);
  return (
    <main id="main" tabIndex={-1} className="standin standin--wait">
      <h1 className="sr">{t('checking')}</h1>
      <Spinner label={t('checking')} />
    </main>
  );
}

/** In the place of a page that failed. One whose chunk is gone since a deploy is loaded anew, once. */
export function ErrorPage(props: ErrorComponentProps) {
  const [stale] = useState(() => isStaleChunk(props.error) && mayReload());
  useEffect(() => {
    if (stale) reloadOnce();
  }, [stale]);
  return stale ? <LoadingPage /> : <FailedPage {...props} />;
}

/** What happened, and Retry. The header stays. */
function FailedPage({ error, reset }: ErrorComponentProps) {
  const t = useTexts(shell);
  const c = useTexts(common);
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  const retry = () => {
    // Not every browser asks again for a chunk that it did not get.
    if (isStaleChunk(error) && navigator.onLine) {
      window.location.reload();
      return;
    }
    queries.reset();
    reset();
    void router.invalidate();
  };
  const reference = error instanceof ApiError ? error.requestId : null;
  return (
    <Page title={t('failed.page')} className="standin">
      <div data-slot="failed-page" className="standin__in" role="alert">
        <h1 className="d32">{t('failed.title')}</h1>
        <p className="rust">{c('error', { message: errorText(error) })}</p>
        <p className="m">{errorAdvice(error)}</p>
        <Button onClick={retry}>{c('retry')}</Button>
        {reference ? <p className="m t14 mono">{t('failed.reference', { id: reference })}</p> : null}
      </div>
    </Page>
  );
}
