import { texts } from '../texts';

/** What a party wrote and pictured with a step of a deal, in its conversation and in its timeline. */
export const dealWords = texts('dealWords', {
  'said.delivered': 'Delivered: {title}',
  'said.counteroffer': 'Counter-offer: {title}',
  'said.changes': 'Changes requested: {title}',
  picture: 'Picture {at} of {count} from {name}',
  pictureYours: 'Your picture {at} of {count}',
});
