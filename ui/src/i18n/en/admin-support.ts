import { texts } from '../texts';

/** What an admin reads of one support request. */
export const adminSupport = texts('adminSupport', {
  'support.one': 'Support request',
  'support.asks': '{name} asks for help',
  'support.asBuyer': '{name}, the buyer',
  'support.asSeller': '{name}, the seller',
  'support.about': 'The deal',
  'support.openDeal': 'Open the deal',
  'support.dealGone': 'The deal was declined before it was paid. Nothing is left of it.',
  close: 'Close request',
  'close.answer': 'Your answer',
  'close.answerHelp': 'Both parties read it on the deal’s page and in a mail.',
  'close.answerMissing': 'Write an answer. Both parties will read it.',
  'close.answered': 'Answer',
  'close.ask': 'Close {name}’s request?',
  'close.clock':
    'The deal’s clock goes on. Every date moves by the time it stood still, about {age}, and at least 24 hours are left.',
  'close.othersOpen': 'The deal has another open request, so its clock stays stopped until that one is closed, too.',
  'close.suspended': 'The deal stays on hold, because an account is disabled.',
  'close.noClock': 'The deal’s clock does not stand still, so no date changes.',
  'close.done': 'Closed. Both parties are told.',
});
