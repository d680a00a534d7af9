/** Utilities that several components share. Override with `cn`: `cn(STACK, 'gap-6')`. */

export const CONTAINER = 'mx-auto w-full max-w-page px-gutter';

/** Stacks children. An empty live region takes no gap. */
export const STACK = 'grid min-w-0 content-start gap-4 *:min-w-0 [&>[role]:empty]:absolute';

export const HANGING = 'min-w-0 border-t-2 border-foreground pt-3';

export const COLUMNS = 'grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_344px] lg:items-start';

/** Joined by a template: `cn` would drop the line height before a size. */
export const MONEY = 'font-display leading-money font-title tracking-money whitespace-nowrap lining-nums';

export const CASH = 'font-semibold whitespace-nowrap tabular-nums lining-nums';

export const TAKA = 'text-sm whitespace-nowrap text-muted-foreground tabular-nums lining-nums';

export const TOTAL = 'inline-block border-b-4 border-double border-current pb-0.5';

/** A cell of a table whose rows are cards on a phone: without the box that it has in the table. */
export const CARD_CELL = 'max-wide:border-0 max-wide:p-0 max-wide:in-[tbody>tr:hover]:bg-transparent';

export const CODE = 'tracking-[0.02em] tabular-nums slashed-zero';

/** The coloured background of the landing page, with its colours of focus and underlines. */
export const CLOTH =
  'relative bg-seal text-seal-foreground [&_:focus-visible]:outline-white [&_a]:decoration-thread [&_a:hover]:decoration-current [:where(&_a:hover)]:text-inherit';

/** Stitches on the left edge on a phone; wider screens have them on the spine. */
export const STITCHED =
  'max-md:before:absolute max-md:before:inset-y-0 max-md:before:left-1.5 max-md:before:w-0.5 max-md:before:bg-stitch-y max-md:before:text-thread';

/** Header, banners, page, footer. Fills the window, so that the footer is at the bottom. */
export const SHELL = 'flex min-h-dvh flex-col';

/** As high as the window before the page is loaded, so that the footer does not jump. */
export const SHELL_PAGE = 'flex min-h-[calc(100dvh-65px)] flex-[1_0_auto] flex-col [:where(&>main)]:flex-[1_0_auto]';

/** Leaves room for the phone's bottom bar, unless the page has its own bar or fills the window. */
export const ABOVE_BAR =
  'group/shell max-md:[&:not(:has([data-bottom-bar],[data-fill=alone]))]:pb-[calc(57px+env(safe-area-inset-bottom))]';

export const STAND_IN = 'grid min-h-[60dvh] flex-1 content-center justify-items-center';
export const STAND_IN_WORDS = 'grid w-[min(480px,100%)] justify-items-center gap-3 text-center';

export const NAV_LINE = 'flex min-h-14 items-center gap-2 md:min-h-16';

/** The rule left of a column, solid once the money has passed it. The caller sets its colour. */
export const columnRule = (crossed: boolean) =>
  `before:absolute before:inset-y-0 before:-left-px before:z-1 before:w-0.5 ${crossed ? 'before:bg-current' : 'before:bg-stitch-y'}`;
