import { texts } from '../texts';

export const stopSearches = texts('stopSearches', {
  title: 'Stop emails about saved searches',
  lede: 'We will no longer tell you about new posts that match your saved searches. The searches stay saved.',
  submit: 'Unsubscribe',
  done: 'You get no more emails about your saved searches.',
  doneText: 'You can turn each of them on again.',
  over: 'We do not know this link.',
  overText: 'Open the link at the end of the newest email, or copy all of it.',
  searches: 'Saved searches',
  failed: 'This did not work. Please try again.',
});
