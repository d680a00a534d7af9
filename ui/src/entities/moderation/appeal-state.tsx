import { CircleCheckBig, Hourglass, OctagonAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Decision } from '@/api/contract';
import { Note } from '@/components/note';
import { useTexts } from '@/i18n';
import { decision as catalogue } from '@/i18n/en/decision';
import { formatTime } from '@/lib/time';

type Appeal = NonNullable<Decision['appeal']>;

const LOOKS = {
  open: { kind: 'wait', icon: Hourglass },
  upheld: { kind: 'bad', icon: OctagonAlert },
  overturned: { kind: 'info', icon: CircleCheckBig },
} as const;

function Words({ title, text, when }: { title: string; text: string; when: string }) {
  return (
    <div className="border-t py-3">
      <h3 className="font-semibold">{title}</h3>
      <p className="mt-1 max-w-measure overflow-clip wrap-anywhere whitespace-pre-line">{text}</p>
      <p className="mt-1 text-sm text-muted-foreground">{when}</p>
    </div>
  );
}

/** An appeal just sent replaces its form and takes the focus, so that screen readers read it. */
export function AppealState({ appeal, justSent }: { appeal: Appeal; justSent: boolean }) {
  const t = useTexts(catalogue);
  const heading = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (justSent) heading.current?.focus({ preventScroll: true });
  }, [justSent]);
  const { kind, icon: Icon } = LOOKS[appeal.status];
  return (
    <div className="grid gap-4">
      <Note
        kind={kind}
        icon={<Icon aria-hidden="true" />}
        title={
          <span ref={heading} tabIndex={-1} className="focus:outline-none">
            {t(`appeal.${appeal.status}`)}
          </span>
        }
      >
        {t(`appeal.${appeal.status}Text`)}
      </Note>
      <div>
        {appeal.answer === '' || appeal.decidedAt === null ? null : (
          <Words
            title={t('answer')}
            text={appeal.answer}
            when={t('answeredOn', { when: formatTime(appeal.decidedAt, 'moment') })}
          />
        )}
        <Words title={t('yourWords')} text={appeal.text} when={t('sentOn', { when: formatTime(appeal.createdAt, 'moment') })} />
      </div>
    </div>
  );
}
