import { texts } from '../texts';

export const savedSearches = texts('savedSearches', {
  title: 'Saved searches',
  lede: 'We tell you about new posts that match.',
  tabs: 'What you saved',
  'tab.posts': 'Posts',
  'tab.searches': 'Searches',
  empty: 'You have no saved searches.',
  emptyText: 'Search or filter the marketplace, then save the search to hear of new posts.',
  save: 'Save this search',
  saveOf: 'Save the search {filters}',
  all: 'Saved searches',
  frequency: 'How often: {filters}',
  'frequency.soon': 'Within 15 minutes',
  'frequency.daily': 'Once a day',
  'frequency.off': 'Never',
  words: '“{search}”',
  listFailed: 'Your saved searches could not be loaded.',
  failed: 'This did not work. Please try again.',

  'stop.title': 'Stop emails about saved searches',
  'stop.lede': 'We will no longer tell you about new posts that match your saved searches. The searches stay saved.',
  'stop.submit': 'Unsubscribe',
  'stop.done': 'You get no more emails about your saved searches.',
  'stop.doneText': 'You can turn each of them on again.',
  'stop.over': 'We do not know this link.',
  'stop.overText': 'Open the link at the end of the newest email, or copy all of it.',
});
