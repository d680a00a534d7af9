import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useStillHere } from './use-still-here';

/**
 * Continues what the visitor was about to do before the login: `next` of the address. It is removed
 * from the address first, so that neither a reload nor Back repeats it, and runs only right after a
 * login, so that no link triggers it.
 */
export function useNextStep<N extends string>(next: N | undefined, go: (next: N) => void): void {
  const router = useRouter();
  const navigate = useNavigate();
  const here = useStillHere();
  const taken = useRef(false);
  const take = useEffectEvent((step: N) => {
    if (!here()) return;
    const entered = router.state.location.state.entered === true;
    void navigate({ to: '.', search: (now) => ({ ...now, next: undefined }), replace: true, resetScroll: false }).then(() => {
      if (entered) go(step);
    });
  });
  useEffect(() => {
    if (next === undefined || taken.current) return;
    taken.current = true;
    take(next);
  }, [next]);
}
