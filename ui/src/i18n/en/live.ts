import { texts } from '../texts';

/** What is said of the live connection. */
export const live = texts('live', {
  lost: 'Live updates are interrupted. Everything still works; this page looks for news every few seconds.',
});
