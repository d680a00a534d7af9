import { texts } from '../texts';

/** Contains fixed texts (docs/rules.md#texts). */
export const review = texts('review', {
  open: 'Review {name}',
  why: 'Say how it went: others see it before they deal with {name}.',
  given: 'You have reviewed {name}.',
  never: '{name} never agreed to this deal, so you cannot review it.',
  refunded: 'You got most of the money back, so you cannot review {name}.',
  title: 'How was {name}?',
  lede: 'Your review appears on {name}’s profile.',
  rating: 'Your rating',
  stars: { one: '{count} star', other: '{count} stars' },
  'star.1': 'Bad',
  'star.2': 'Poor',
  'star.3': 'All right',
  'star.4': 'Good',
  'star.5': 'Very good',
  comment: 'Your review',
  commentHelp: 'What went well, what did not?',
  hint: 'Choose your stars and write a few words.',
  long: 'The comment must be at most 2,000 characters.',
  send: 'Submit review',
  later: 'Later',
  done: 'Review submitted!',
  failed: 'You already reviewed this seller.',
});
