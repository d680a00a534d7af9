import { CirclePause } from 'lucide-react';
import type { Paused } from '@/api/contract';
import { Note } from '@/components/note';
import { useTexts } from '@/i18n';
import { pauses } from '@/i18n/en/pauses';

/** The areas that concern users. A pause of `money` includes the others. */
const SHOWN_AREAS = ['money', 'deposits', 'withdrawals'] as const;

export default function PauseNotice({ areas }: { areas: readonly Paused['area'][] }) {
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
