import { texts } from '../texts';

/** Contains fixed texts (docs/rules.md#texts). */
export const adminFeedback = texts('adminFeedback', {
  bugs: 'Bug reports',
  bugsPage: 'Bug reports, admin',
  bugsFailed: 'Failed to fetch bug reports.',
  bugsEmpty: 'No bug reports found.',
  bug: 'Bug report',
  contacts: 'Contact messages',
  contactsPage: 'Contact messages, admin',
  contactsFailed: 'Failed to fetch contact messages.',
  contactsEmpty: 'No contact messages found.',
  contact: 'Contact message',
  from: 'From',
  words: 'What it says',
  username: 'Username',
  name: 'Name',
  email: 'Email',
  received: 'Received',
  visitor: 'A visitor',
  notSignedIn: 'not logged in',
  answer: 'Reply by email',
  answerTo: 'Re: {subject}',
  contactBy: 'Message of {name}',
});
