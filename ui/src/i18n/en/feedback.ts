import { texts } from '../texts';

export const help = texts('help', {
  title: 'Help',
  about: 'What is it about?',
  deal: 'A deal',
  site: 'The site',
  other: 'Something else',
  reports: 'Your reports',
});

/** Contains fixed texts (docs/rules.md#texts). */
export const feedback = texts('feedback', {
  name: 'Name',
  email: 'Email',
  optional: 'optional',
  emailHelp: 'We’ll reply to this address.',
  'name.required': 'Name is required.',
  'name.long': 'Name may have up to 100 characters.',
  'email.required': 'Email is required.',
  'email.invalid': 'Invalid email',
  asUser: 'You write as {name}, {email}.',
  another: 'Write another one',

  'contact.title': 'Contact us',
  'contact.message': 'Message',
  'contact.required': 'Message is required.',
  'contact.long': 'Message may have up to 5,000 characters.',
  'contact.submit': 'Send message',
  'contact.done': 'Thank you! Your message has been sent.',
  'contact.doneText': 'We’ll reply by email.',
  'contact.failed': 'Something went wrong',
  'contact.never': 'We never ask for your password or a bKash or Nagad PIN.',

  'bug.title': 'Report a bug',
  'bug.subject': 'Subject',
  'bug.subject.required': 'Subject is required.',
  'bug.subject.long': 'Subject may have up to 200 characters.',
  'bug.description': 'Description',
  'bug.descriptionHelp': 'What did you do, and what happened? On which page and device? No password and no PIN, please.',
  'bug.description.required': 'Description is required.',
  'bug.description.long': 'Description may have up to 5,000 characters.',
  'bug.submit': 'Submit report',
  'bug.done': 'Thank you! Your report has been submitted.',
  'bug.doneText': 'We read every report.',
  'bug.failed': 'Failed to submit bug report',
});
