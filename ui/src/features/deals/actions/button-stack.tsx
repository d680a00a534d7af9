import type { ComponentProps } from 'react';

/** Stacked buttons, hidden if all of them are in the bar. */
export function ButtonStack(props: ComponentProps<'div'>) {
  return (
    <div
      data-slot="move-buttons"
      className="mt-5 mb-3 grid min-w-0 content-start gap-2 *:min-w-0 max-lg:not-has-[>:not([data-in-bar])]:hidden"
      {...props}
    />
  );
}
