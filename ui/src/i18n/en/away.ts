import { texts } from '../texts';

export const away = texts('away', {
  until: 'Away until {day}',
  title: 'Away',
  day: 'Away until',
  help: 'Your posts stay. Buyers read the day on your posts, on your profile and in the chat.',
  range: 'Choose a day from today to 60 days ahead.',
  save: 'Save',
  back: 'I’m back',
});
