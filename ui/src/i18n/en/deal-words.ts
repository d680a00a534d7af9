import { texts } from '../texts';

export const dealWords = texts('dealWords', {
  'said.delivered': 'Delivered: {title}',
  'said.counteroffer': 'Counter-offer: {title}',
  'said.changes': 'Changes requested: {title}',
  picture: 'Picture {at} of {count} from {name}',
  pictureYours: 'Your picture {at} of {count}',
});
