import { useQuery } from '@tanstack/react-query';
import { Share2 } from 'lucide-react';
import { CopyButton } from '@/components/copy-button';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { refer } from '@/i18n/en/refer';
import { notify } from '@/lib/toast';
import { referralCodeQuery } from './queries';

/** The phone's share sheet; most desktop browsers have none. */
function ShareButton({ url }: { url: string }) {
  const t = useTexts(refer);
  if (!('share' in navigator)) return null;
  const share = async () => {
    try {
      await navigator.share({ title: t('title'), text: t('shareText'), url });
    } catch (error) {
      // Closing the sheet is no failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) notify.error(t('shareFailed'));
    }
  };
  return (
    <Button variant="outline" className="min-h-13" onClick={() => void share()}>
      <Share2 aria-hidden="true" />
      {t('share')}
    </Button>
  );
}

export function ShareLink() {
  const t = useTexts(refer);
  const tCommon = useTexts(common);
  const code = useQuery(referralCodeQuery);
  if (code.isLoadingError) {
    return (
      <p className="flex min-w-0 flex-wrap items-center gap-3">
        {t('linkFailed')}
        <Button variant="link" onClick={() => void code.refetch()}>
          {tCommon('retry')}
        </Button>
      </p>
    );
  }
  if (!code.data) return <Skeleton className="h-32.5" />;
  const url = `${window.location.origin}/referral/${encodeURIComponent(code.data)}`;
  return (
    <>
      <p // As high as two lines, so that a long link moves nothing.
        className="min-h-13.5 font-display text-xl leading-[1.35] font-semibold tracking-[-0.01em] wrap-anywhere"
        lang="en"
      >
        {url}
      </p>
      <div className="mt-4 flex min-w-0 flex-wrap items-center gap-3">
        <CopyButton value={url} label={t('linkOf')} done={t('copied')} variant="default" className="min-h-13">
          {t('copy')}
        </CopyButton>
        <ShareButton url={url} />
      </div>
    </>
  );
}
