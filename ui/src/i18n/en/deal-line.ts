import { texts } from '../texts';

export const dealLine = texts('dealLine', {
  'next.agree': 'Accept or decline',
  'next.waitAgree': 'Waiting for {name} to accept',
  'next.pay': 'Pay to start',
  'next.waitPay': 'Waiting for {name} to pay',
  'next.deliver': 'Deliver',
  'next.waitDelivery': 'Waiting for {name} to deliver',
  'next.receive': 'On its way: say when it arrives',
  'next.waitArrival': 'On its way to {name}',
  'next.check': 'Check, then release',
  'next.waitCheck': '{name} is checking',
  'next.answer': 'Respond to the cancellation request',
  'next.waitAnswer': 'Waiting for {name} to respond',
  'next.answerCounter': 'Answer the counter-offer',
  'next.waitCounter': 'Waiting for {name} to answer the counter-offer',
  'next.leave': 'You can cancel for a full refund',
  'next.blocked': 'The account of {name} is suspended',
  'next.held': 'On hold until Amanat decides',
  'next.paused': 'Amanat is reviewing it',
  'next.closed': 'Closed',
  'dispute.decision': 'Accept the decision or appeal',
  'dispute.offer': 'Respond to the offered split',
  'dispute.answer': 'Answer the dispute',
  'dispute.wait': 'Waiting for {name} or Amanat',
  untitled: 'Deal without a description',
});

export const dealWords = texts('dealWords', {
  'said.delivered': 'Delivered: {title}',
  'said.counteroffer': 'Counter-offer: {title}',
  'said.changes': 'Changes requested: {title}',
  picture: 'Picture {at} of {count} from {name}',
  pictureYours: 'Your picture {at} of {count}',
});
