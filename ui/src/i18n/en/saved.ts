import { texts } from '../texts';

export const saved = texts('saved', {
  title: 'Saved posts',
  lede: 'We tell you when the price of one drops or when it is gone.',
  empty: 'You have no saved posts.',
  emptyText: 'Tap the heart on a post to find it here again.',
  save: 'Save',
  saveOf: 'Save {title}',
  failed: 'This did not work. Please try again.',
  was: 'was {price}',
  interest: 'Seen {seen} · Saved {saves} · Asked {asked}',
});
