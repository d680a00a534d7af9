import { texts } from '../texts';

export const moderation = texts('moderation', {
  moreOf: 'More actions for {name}',
  'report.user': 'Report {name}',
  'report.review': 'Report the review by {name}',
  'report.short': 'Report',
  'report.message': 'Report this message',
  'message.more': 'More actions for the message by {name}, {time}',
  'message.copy': 'Copy text',
  'message.copied': 'Text copied',

  block: 'Block {name}',
  unblock: 'Unblock {name}',
  'unblock.short': 'Unblock',
  'block.ask': 'Block {name}?',
  'block.does.1': 'Neither of you can message the other.',
  'block.does.2': 'Neither of you can start a new deal with the other, or find the other by name.',
  'block.does.3': 'Deals you already have together go on.',
  'block.does.4': 'We don’t tell {name}, but they may notice. You can unblock them at any time.',
  'block.yes': 'Block',
  'block.done': 'You blocked {name}.',
  'block.undone': 'You unblocked {name}.',
  'block.failed': 'The user could not be blocked.',
  'unblock.failed': 'The user could not be unblocked.',

  'thread.mine': 'You blocked {name}.',
  'thread.mineText': 'Neither of you can send messages. Deals you have together go on.',
  'thread.theirs': 'You cannot send messages to this user.',
  'thread.theirsText': 'You can still read what you wrote to each other.',
  'profile.mine': 'You blocked {name}.',

  blocked: 'Blocked people',
  blockedText: 'They cannot message you, find you by name or start a deal with you, nor you with them.',
  'blocked.none': 'You have not blocked anyone.',
  'blocked.failed': 'The list could not be loaded.',
  'blocked.since': 'Blocked on {day}',

  hidden: 'Hidden by Amanat',
  'hidden.text': 'Only you and Amanat’s staff can see this post. You can read why, and appeal.',
  'hidden.link': 'See the decision',
  'hidden.linkOf': 'See the decision about {title}',
});
