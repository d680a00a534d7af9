import { Ban } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { common } from '@/i18n/en/common';
import { useShortcuts } from '../shortcuts/use-shortcuts';
import { ConfirmDialog } from './confirm-dialog';
import { Drawer } from './drawer';
import { NextButton } from './next-button';
import { ClaimNote, Result } from './review-parts';
import type { ReviewState } from './review-state';

type Act = {
  /** Its key. R rejects. */
  letter: 'a' | 's';
  label: string;
  ask: string;
  askText: string;
  /** Calls `then` if the fields are valid, else shows the errors. */
  check: (then: () => void) => void;
  run: () => void;
  /** Not possible now; the fields say why. */
  blocked?: boolean;
};

export type RejectingProps = { open: boolean; onOpenChange: (open: boolean) => void; busy: boolean; busyText: string };

type Props = {
  subject: string;
  eyebrow: ReactNode;
  title: ReactNode;
  state: ReviewState;
  /** Null if the request can only be rejected. */
  act: Act | null;
  rejecting: (dialog: RejectingProps) => ReactNode;
  before?: string | null;
  pending: boolean;
  facts: ReactNode;
  fields: ReactNode;
  onNext: (() => void) | null;
  onClose: () => void;
};

/** The seal button, in the drawer's foot and in the dialog that its key opens. */
function useSeal(state: ReviewState) {
  const t = useTexts(common);
  const acting = state.acting !== 'idle' || state.inFlight;
  return {
    variant: 'seal' as const,
    size: 'sm' as const,
    pending: acting,
    disabled: state.busy && !acting,
    pendingText: t(state.processing ? 'processing' : 'sending'),
  };
}

type FootProps = Pick<Props, 'state' | 'act' | 'onNext'> & { onReject: () => void };

function Foot({ state, act, onReject, onNext }: FootProps) {
  const t = useTexts(admin);
  const seal = useSeal(state);
  if (!state.mayAct) {
    return <NextButton onNext={onNext} />;
  }
  return (
    <>
      {act ? (
        <PendingButton
          {...seal}
          disabled={seal.disabled || act.blocked}
          className="min-w-0 flex-1"
          onClick={() => act.check(act.run)}
        >
          {act.label}
        </PendingButton>
      ) : null}
      <Button variant="destructive" disabled={state.busy} onClick={onReject}>
        <Ban aria-hidden="true" />
        {t('reject')}
      </Button>
    </>
  );
}

/**
 * The review of a request. The button names its action and acts at once; its key, more easily
 * pressed by mistake, asks first, and so does a rejection.
 */
export function RequestReview({
  subject,
  eyebrow,
  title,
  state,
  act,
  rejecting,
  before = null,
  pending,
  facts,
  fields,
  onNext,
  onClose,
}: Props) {
  const [asked, setAsked] = useState<'act' | 'reject' | null>(null);
  const seal = useSeal(state);
  const open = state.mayAct && !state.busy;
  useShortcuts({
    ...(open && act && !act.blocked ? { [act.letter]: () => act.check(() => setAsked('act')) } : {}),
    ...(open ? { r: () => setAsked('reject') } : {}),
  });
  const t = useTexts(common);
  const foot = <Foot state={state} act={act} onReject={() => setAsked('reject')} onNext={onNext} />;
  const waits = pending && state.outcome === null && state.refused === null;
  return (
    <Drawer
      // Announces the result, since the focused button is gone.
      row={subject}
      said={state.outcome ?? state.refused}
      eyebrow={eyebrow}
      title={title}
      foot={state.mayAct || (onNext && (pending || state.outcome !== null)) ? foot : null}
      onClose={onClose}
    >
      <Result outcome={state.outcome ?? (state.refused === null ? before : null)} refused={state.refused} />
      {facts}
      {waits ? <ClaimNote claim={state.claim} /> : null}
      {waits && state.claim.refusal === null ? fields : null}
      {act ? (
        <ConfirmDialog
          open={asked === 'act' && state.mayAct}
          onOpenChange={(wanted) => setAsked(wanted ? 'act' : null)}
          title={act.ask}
          text={act.askText}
          act={(focus) => (
            <PendingButton {...seal} ref={focus} onClick={act.run}>
              {act.label}
            </PendingButton>
          )}
        />
      ) : null}
      {rejecting({
        open: asked === 'reject' && state.mayAct,
        onOpenChange: (wanted) => setAsked(wanted ? 'reject' : null),
        busy: state.rejecting !== 'idle',
        busyText: t(state.rejecting === 'processing' ? 'processing' : 'sending'),
      })}
    </Drawer>
  );
}
