import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { NextStep } from '@/lib/next-step';
import { useStillHere } from './use-still-here';

/**
 * Goes on with what the reader was about to do before they signed up or logged in: `next` of the page's address. It is taken out of the
 * address first, so that neither a reload nor Back does it again, and it is done only right after a log-in: no link does it for anyone.
 */
export function useNextStep(next: NextStep | undefined, go: (next: NextStep) => void): void {
  const router = useRouter();
  const navigate = useNavigate();
  const here = useStillHere();
  const taken = useRef(false);
  const take = useEffectEvent((step: NextStep) => {
    if (!here()) return;
    const entered = router.state.location.state.entered === true;
    void navigate({ to: '.', search: {}, replace: true, resetScroll: false }).then(() => {
      if (entered) go(step);
    });
  });
  useEffect(() => {
    if (next === undefined || taken.current) return;
    taken.current = true;
    take(next);
  }, [next]);
}
