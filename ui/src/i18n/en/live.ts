import { texts } from '../texts';

/** What is said of the live connection. */
export const live = texts('live', {
  lost: 'Live updates are interrupted. Everything still works; this page checks for updates every few seconds.',
});
