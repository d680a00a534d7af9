import { texts } from '../texts';

/** What comes next in a deal, seen from one side. */
export const dealLine = texts('dealLine', {
  'next.agree': 'Accept or decline',
  'next.waitAgree': '{name} has to accept',
  'next.pay': 'Pay to start',
  'next.waitPay': '{name} has to pay',
  'next.deliver': 'Deliver it',
  'next.waitDelivery': '{name} has to deliver',
  'next.check': 'Check, then release',
  'next.waitCheck': '{name} is checking',
  'next.answer': 'Answer the cancellation request',
  'next.waitAnswer': '{name} has to answer your request',
  'next.leave': 'You can leave with the whole price',
  'next.blocked': 'The account of {name} is suspended',
  'next.held': 'On hold, Amanat decides',
  'next.closed': 'Nothing left to do',
});
