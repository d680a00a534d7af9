export const OVERLAY = 'fixed inset-0 z-50 bg-scrim motion-safe:animate-appear';

const RAISED = 'z-50 border-foreground bg-background shadow-overlay motion-safe:animate-appear';

/** A menu has a thinner upper rule than a panel. */
export const MENU = `${RAISED} border-t-2`;

export const PANEL = `fixed overflow-auto border-t-4 ${RAISED}`;

/** Centred on a wide screen, at the bottom on a phone. */
export const DIALOG = `${PANEL} top-1/2 left-1/2 max-h-[calc(100dvh-32px)] w-[min(520px,calc(100vw-32px))] -translate-1/2 rounded-b-md px-6 pt-5 pb-6 max-xs:inset-x-0 max-xs:top-auto max-xs:bottom-0 max-xs:max-h-[94dvh] max-xs:w-full max-xs:translate-none max-xs:rounded-none max-xs:px-4 max-xs:pt-3.5 max-xs:pb-5`;
