import { texts } from '../texts';

/** Contains fixed texts (docs/rules.md#texts). */
export const adminChat = texts('adminChat', {
  page: 'Chat inspector, admin',
  title: 'Chat inspector',
  logged:
    'Other people’s messages are private. Each access is logged with your name, the two people and the time, also each older page.',
  log: 'Access log',
  one: 'One user',
  other: 'The other user',
  show: 'Show messages',
  choose: 'Choose two users first.',
  'rule.two': 'Choose two different users.',
  failed: 'Message load failed',
  none: 'No messages found',
  noneText: 'These two have written nothing to each other.',
  between: 'Messages between {one} and {other}',
  older: 'Show older messages',
  beginning: 'The conversation begins here.',
  image: 'Image from {name}',
  sentRead: '{time}, read',
  sentUnread: '{time}, not read',
  reported: 'Reported message',
  erased: 'This message was deleted.',
});
