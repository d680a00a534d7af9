import { texts } from '../texts';

export const live = texts('live', {
  lost: 'Live updates are interrupted. Everything still works; this page checks for updates every few seconds.',
});
