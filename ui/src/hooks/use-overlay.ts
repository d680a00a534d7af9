import { type RouterHistory, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { overlayOpened } from '@/lib/overlays';

type Props = {
  open?: boolean | undefined;
  defaultOpen?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
  /** Closes on Back on a phone. False for dialogs in the address or that need an answer. */
  back?: boolean | undefined;
};

/** The open state of an overlay's root. On a phone, Back closes it. */
export function useOverlay({ open: given, defaultOpen = false, onOpenChange, back = true }: Props) {
  const [own, setOwn] = useState(defaultOpen);
  const open = given ?? own;
  const change = (wanted: boolean) => {
    setOwn(wanted);
    onOpenChange?.(wanted);
  };
  const close = useEffectEvent(() => change(false));
  const router = useRouter({ warn: false }) as { history: RouterHistory } | undefined;
  const history = router?.history;
  const registered = open && back;
  useEffect(() => (registered && history ? overlayOpened(() => close(), history) : undefined), [registered, history]);
  return { open, onOpenChange: change };
}
