import { useQueryClient } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Note } from '@/components/note';
import { useMe } from '@/entities/user/queries';
import { useOnline } from '@/hooks/use-browser';
import { useTexts } from '@/i18n';
import { live } from '@/i18n/en/shell';
import { useConnection } from '@/lib/realtime/live';
import { startAway } from '../start-away';
import { OfflineBanner } from './offline-banner';

/** Shorter interruptions show no banner. */
const NOTICED_AFTER = 5_000;

/** Starts socket and service worker after the first paint. Without the socket the page polls. */
function useLiveUpdates(): void {
  const queryClient = useQueryClient();
  const { _id } = useMe();
  useEffect(() => {
    import('@/realtime/start').then(
      ({ startRealtime }) => startRealtime(queryClient),
      () => undefined,
    );
    startAway(queryClient);
  }, [queryClient, _id]);
}

function useConnectionLost(): boolean {
  const lost = useConnection() === 'lost';
  const [noticed, setNoticed] = useState(false);
  useEffect(() => {
    if (!lost) return undefined;
    const timer = setTimeout(() => setNoticed(true), NOTICED_AFTER);
    return () => {
      clearTimeout(timer);
      setNoticed(false);
    };
  }, [lost]);
  return lost && noticed;
}

/** The live connection of a member's page, and banners while it or the network is missing. */
export function ConnectionBanner() {
  const t = useTexts(live);
  const online = useOnline();
  const lost = useConnectionLost();
  useLiveUpdates();
  return (
    <>
      <OfflineBanner />
      <div role="status" aria-live="polite">
        {online && lost ? (
          <Note kind="info" icon={<CloudOff aria-hidden="true" />} banner>
            {t('lost')}
          </Note>
        ) : null}
      </div>
    </>
  );
}
