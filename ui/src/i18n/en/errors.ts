import { texts } from '../texts';

export const errors = texts('errors', {
  somethingWrong: 'Something went wrong',
  reference: 'Code for support: {id}',
  'advice.offline': 'Check your connection and try again.',
  'advice.missing': 'Check your connection and try again, or reload the page.',
  'advice.server': 'The problem is on our side. Try again in a moment.',
  'advice.seconds': { one: 'Try again in {count} second.', other: 'Try again in {count} seconds.' },
  'advice.minutes': { one: 'Try again in {count} minute.', other: 'Try again in {count} minutes.' },
  'advice.hours': { one: 'Try again in {count} hour.', other: 'Try again in {count} hours.' },
});
