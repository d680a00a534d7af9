const NAV =
  'relative inline-flex min-h-11 items-center rounded-md text-md font-medium whitespace-nowrap no-underline hover:bg-secondary hover:text-inherit aria-[current=page]:rounded-none aria-[current=page]:font-semibold aria-[current=page]:shadow-[inset_0_-3px_0_var(--foreground)]';

export const NAV_ITEM = `${NAV} gap-2 px-2.5 md:px-3`;
export const NAV_ICON = `${NAV} w-11 justify-center`;
export const NAV_DOT = 'absolute top-2.25 right-2.25 size-2.25 rounded-full bg-pen ring-2 ring-background';

/** Paths of pages that fill the window. */
export const WITHOUT_FOOTER = /^\/(?:inbox|deal|admin)/;
