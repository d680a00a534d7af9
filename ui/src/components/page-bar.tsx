import type { ComponentProps } from 'react';
import { liftToastsAbove } from '@/lib/toast';

/** The page's own action in a bar at the bottom of a phone, in place of the navigation. */
export function PageBar(props: ComponentProps<'div'>) {
  return (
    <div
      {...props}
      ref={liftToastsAbove}
      data-bottom-bar=""
      className="fixed inset-x-0 bottom-0 z-35 border-t-2 border-foreground bg-background px-gutter pt-2.5 pb-[max(10px,env(safe-area-inset-bottom))] lg:hidden"
    />
  );
}
