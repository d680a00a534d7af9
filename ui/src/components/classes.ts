/** Lists of utilities that many parts share. To change one of them, join with `cn`: `cn(STACK, 'gap-6')`. */

/** The page's width, between its margins. */
export const CONTAINER = 'mx-auto w-full max-w-page px-gutter';

/** One below the other, no wider than their place. An empty place where something will be said takes no gap. */
export const STACK = 'grid min-w-0 content-start gap-4 *:min-w-0 [&>[role]:empty]:absolute';

/** A section or a figure under a thick line. */
export const HANGING = 'min-w-0 border-t-2 border-foreground pt-3';

/** A page with a column of facts beside it on a wide screen. */
export const COLUMNS = 'grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_344px] lg:items-start';

/** Money in display size. `cn` takes a size after it for its line height: join with a template. */
export const MONEY = 'font-display leading-money font-title tracking-money whitespace-nowrap lining-nums';

/** Money in rows and tables. */
export const CASH = 'font-semibold whitespace-nowrap tabular-nums lining-nums';

/** The taka beside an amount. */
export const TAKA = 'text-sm whitespace-nowrap text-muted-foreground tabular-nums lining-nums';

/** The accountant's rule under a total. */
export const TOTAL = 'inline-block border-b-4 border-double border-current pb-0.5';

/** Ids, hashes and phone numbers. */
export const CODE = 'tracking-[0.02em] tabular-nums slashed-zero';

/** The cover's cloth. What is not a button has its underlines in the colour of the thread. */
export const CLOTH =
  'relative bg-seal text-seal-foreground [&_:focus-visible]:outline-white [&_a]:decoration-thread [&_a:hover]:decoration-current [:where(&_a:hover)]:text-inherit';

/** On a phone, where the spine lies on top, the cover's stitches go down its left edge. */
export const STITCHED =
  'max-md:before:absolute max-md:before:inset-y-0 max-md:before:left-1.5 max-md:before:w-0.5 max-md:before:bg-stitch-y max-md:before:text-thread';

/** The frame of a page: header, banners, page, footer. The footer lies at the bottom of a short page, too. */
export const SHELL = 'flex min-h-dvh flex-col';

/** At least the window's height, also before the page is there: a footer in view would jump when it comes. */
export const SHELL_PAGE = 'flex min-h-[calc(100dvh-65px)] flex-[1_0_auto] flex-col [:where(&>main)]:flex-[1_0_auto]';

/** Leaves room for the bottom bar of phones, unless a page has a bar of its own or fills the window alone. */
export const ABOVE_BAR =
  'group/shell max-md:[&:not(:has([data-bottom-bar],[data-fill=alone]))]:pb-[calc(57px+env(safe-area-inset-bottom))]';

/** In the middle of the place of a page. */
export const STAND_IN = 'grid min-h-[60dvh] flex-1 content-center justify-items-center';
export const STAND_IN_WORDS = 'grid w-[min(480px,100%)] justify-items-center gap-3 text-center';

/** The logo and the navbar of a header, side by side. */
export const NAV_LINE = 'flex min-h-14 items-center gap-2 md:min-h-16';

/** The rule at the left of a column: solid once the money has gone over it. Its colour is the caller's. */
export const columnRule = (crossed: boolean) =>
  `before:absolute before:inset-y-0 before:-left-px before:z-1 before:w-0.5 ${crossed ? 'before:bg-current' : 'before:bg-stitch-y'}`;
