import { texts } from '../texts';

/** Contains fixed texts (docs/rules.md#texts). */
export const support = texts('support', {
  title: 'Get support',
  lede: 'Tell us what went wrong in this deal. An admin reviews it and answers you both.',
  deal: 'Deal',
  dealId: 'Deal id',
  dealIdHelp: 'The request is about this deal.',
  issue: 'Issue description',
  issueHelp: 'What was agreed, what happened, and what would be right?',
  required: 'Please describe the issue.',
  long: 'The description must be at most 5,000 characters.',
  send: 'Submit request',
  sent: 'Your request has been sent to our support.',
  failed: 'Failed to submit support request.',
  back: 'Back to the deal',
  next: 'What happens next',
  next1:
    'With your first request, deadlines pause: nothing is released or refunded automatically. They do not pause again if we have already closed a request of yours.',
  next2: 'An admin reads your request and reviews the deal.',
  next3: 'You two can still settle it yourselves in the meantime.',
  next4: 'When we are done, deadlines resume, with at least a day left.',
  none: 'Which deal is it about?',
  noneText: 'Open the deal and choose “Report a problem” there, so that we know which one you mean.',
  disputed: 'There is a dispute about this deal. What you write there, the other party and an admin read.',
  with: 'With {name}',
  toDeals: 'Go to your deals',
});
