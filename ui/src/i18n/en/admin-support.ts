import { texts } from '../texts';

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
  'close.answerHelp': 'Both parties see it on the deal’s page and get it by email.',
  'close.answerMissing': 'Write an answer. Both parties will read it.',
  'close.answered': 'Answer',
  'close.ask': 'Close {name}’s request?',
  'close.clock':
    'Deadlines resume. Every date moves by the time they were paused ({age} so far), and at least 24 hours are left.',
  'close.othersOpen': 'The deal has another open request, so deadlines stay paused until that one is closed, too.',
  'close.suspended': 'The deal stays on hold, because an account is disabled.',
  'close.noClock': 'Deadlines are not paused, so no date changes.',
  'close.done': 'Closed. Both parties were notified.',
});
