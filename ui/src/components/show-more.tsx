import { PendingButton } from '@/components/pending-button';
import { useTexts } from '@/i18n';
import { lists } from '@/i18n/en/lists';
import { LoadFailed } from './load-failed';

type Asked = {
  busy: boolean;
  error: unknown;
  more: () => void;
};

export function MoreFailed({ busy, error, more }: Asked) {
  const t = useTexts(lists);
  if (!error) return null;
  return (
    <div className="mt-4">
      <LoadFailed error={error} fallback={t('showMoreFailed')} busy={busy} onRetry={more} />
    </div>
  );
}

export function ShowMore({ rest, step, ...asked }: Asked & { rest: number; step: number }) {
  const t = useTexts(lists);
  if (rest <= 0) return null;
  return (
    <>
      <PendingButton variant="outline" className="mt-4" pending={asked.busy} onClick={asked.more}>
        {t('showMore', { count: Math.min(rest, step) })}
      </PendingButton>
      <MoreFailed {...asked} />
    </>
  );
}
