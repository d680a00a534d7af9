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
  frequency: 'How often: {filters}',
  'frequency.soon': 'Within 15 minutes',
  'frequency.daily': 'Once a day',
  'frequency.off': 'Never',
  words: '“{search}”',
  listFailed: 'Your saved searches could not be loaded.',
  failed: 'This did not work. Please try again.',
});
