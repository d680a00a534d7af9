import { Ban } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { common } from '@/i18n/en/common';
import { useShortcuts } from '../shortcuts/shortcuts';
import { Drawer } from './drawer';
import { ClaimNote, NextButton, Result } from './review-parts';
import type { Review } from './use-review';

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
  /** The button waits; its key does not, since it asks. */
  guarded?: boolean;
};

export type RejectingProps = { open: boolean; onClose: () => void; busy: boolean; busyText: string };

type Props = {
  subject: string;
  eyebrow: ReactNode;
  title: ReactNode;
  review: Review;
  /** Null if the request can only be rejected. */
  act: Act | null;
  rejecting: (dialog: RejectingProps) => ReactNode;
  before?: string | null;
  pending: boolean;
  /** The next one can be opened while this one waits. */
  passable?: boolean;
  facts: ReactNode;
  fields: ReactNode;
  onNext: (() => void) | null;
  onClose: () => void;
};

/** The key pressed while the request before this one was handled. */
let early: string | null = null;

/**
 * A key that is pressed while a request is handled is for the next one: once that is shown, it asks
 * about it. `asks` is empty unless the request has followed by itself.
 */
function useEarlyKey(busy: boolean, asks: { a?: () => void; r?: () => void }) {
  const keep = (letter: string) => () => {
    early = letter;
  };
  useShortcuts(busy ? { a: keep('a'), r: keep('r') } : {}, true);
  const ask = useEffectEvent(() => {
    const letter = early;
    early = null;
    if (letter === 'a') asks.a?.();
    if (letter === 'r') asks.r?.();
  });
  useEffect(() => {
    // Once the form of its fields is mounted, too.
    const timer = setTimeout(() => ask());
    return () => clearTimeout(timer);
  }, []);
}

/** The seal button, in the drawer's foot and in the dialog that its key opens. */
function useSeal({ act, inFlight, busy, processing }: Review) {
  const t = useTexts(common);
  const acting = inFlight || (act !== null && act !== 'reject');
  return {
    variant: 'seal' as const,
    size: 'sm' as const,
    pending: acting,
    disabled: busy && !acting,
    pendingText: t(processing ? 'processing' : 'sending'),
  };
}

type FootProps = Pick<Props, 'review' | 'act' | 'passable' | 'onNext'> & { onReject: () => void };

function Foot({ review, act, passable, onReject, onNext }: FootProps) {
  const t = useTexts(admin);
  const seal = useSeal(review);
  if (!review.mayAct) {
    return <NextButton onNext={onNext} />;
  }
  return (
    <>
      {act ? (
        <PendingButton
          {...seal}
          disabled={[seal.disabled, act.blocked, act.guarded].includes(true)}
          className={passable && onNext ? 'basis-full' : 'min-w-0 flex-1'}
          onClick={() => act.check(act.run)}
        >
          {act.label}
        </PendingButton>
      ) : null}
      {passable ? <NextButton onNext={onNext} /> : null}
      <Button variant="destructive" disabled={review.busy} onClick={onReject}>
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
  review,
  act,
  rejecting,
  before = null,
  pending,
  passable = false,
  facts,
  fields,
  onNext,
  onClose,
}: Props) {
  const [asked, setAsked] = useState<'act' | 'reject' | null>(null);
  const seal = useSeal(review);
  const open = review.mayAct && !review.busy;
  const asks = {
    ...(act && !act.blocked ? { [act.letter]: () => act.check(() => setAsked('act')) } : {}),
    r: () => setAsked('reject'),
  };
  useShortcuts(open ? asks : {});
  useEarlyKey(review.busy, open && before !== null ? asks : {});
  const t = useTexts(common);
  const foot = <Foot review={review} act={act} passable={passable} onReject={() => setAsked('reject')} onNext={onNext} />;
  return (
    <Drawer
      // Announces the result, since the focused button is gone.
      row={subject}
      said={review.outcome ?? review.refused}
      eyebrow={eyebrow}
      title={title}
      foot={review.mayAct || (onNext && (pending || review.outcome !== null)) ? foot : null}
      onClose={onClose}
    >
      <Result outcome={review.outcome ?? (review.refused === null ? before : null)} refused={review.refused} />
      {facts}
      {review.waits ? <ClaimNote claim={review.claim} /> : null}
      {review.waits && review.claim.refusal === null && review.claim.opened === null ? fields : null}
      {act ? (
        <ConfirmDialog
          open={asked === 'act' && review.mayAct}
          onClose={() => setAsked(null)}
          title={act.ask}
          text={act.askText}
          focusAction
          action={
            <PendingButton {...seal} onClick={act.run}>
              {act.label}
            </PendingButton>
          }
        />
      ) : null}
      {rejecting({
        open: asked === 'reject' && review.mayAct,
        onClose: () => setAsked(null),
        busy: review.act === 'reject',
        busyText: t(review.processing ? 'processing' : 'sending'),
      })}
    </Drawer>
  );
}
