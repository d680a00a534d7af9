import { useQuery } from '@tanstack/react-query';
import { CirclePause } from 'lucide-react';
import type { Paused } from '@/api/contract';
import { Note } from '@/components/note';
import { keys } from '@/entities/keys';
import { useTexts } from '@/i18n';
import { pauses } from '@/i18n/en/shell';
import { api, send } from '@/lib/api';

/** The areas that concern users. A pause of `money` includes the others. */
const SHOWN_AREAS = ['money', 'deposits', 'withdrawals'] as const;

function PauseNotice({ areas }: { areas: readonly Paused['area'][] }) {
  const t = useTexts(pauses);
  const told = areas.includes('money') ? (['money'] as const) : SHOWN_AREAS.filter((area) => areas.includes(area));
  return (
    <div role="status" aria-live="polite">
      {told.map((area) => (
        <Note key={area} kind="wait" icon={<CirclePause aria-hidden="true" />} banner>
          {t(area)}
        </Note>
      ))}
    </div>
  );
}

const MINUTE = 60_000;

export function PauseBanner() {
  const { data } = useQuery({
    queryKey: keys.pauses,
    queryFn: ({ signal }) => send(api.GET('/public/pauses', { signal })),
    staleTime: MINUTE,
    refetchInterval: MINUTE,
    meta: { quiet: true },
  });
  if (!data || data.paused.length === 0) return null;
  return <PauseNotice areas={data.paused.map(({ area }) => area)} />;
}
