import { texts } from '../texts';

export const delivery = texts('delivery', {
  text: 'Message to {name}',
  optional: 'optional',
  textHelp: 'What you delivered, and where to find it. Only {name} and Amanat see it.',
  long: 'The text must be at most 2,000 characters.',
  changes: 'What should be changed?',
  changesHelp: 'Be specific, so that {name} can do all of it in one go. {name} gets it as a message, too.',
  'changes.missing': 'Say what should be changed.',

  pictures: 'Pictures',
  picturesHelp: 'Up to {most}. They appear in the deal and in your conversation.',
  'pictures.add': 'Add pictures',
  'pictures.drop': 'Drop the pictures here',
  'pictures.some': '{done} of {count} pictures uploaded',
  'pictures.notImage': 'Please select an image file!',
  'pictures.full': 'You can add at most {most} pictures.',
  'pictures.wait': 'Some pictures are still being uploaded. Try again when they are done.',
  'pictures.failed': 'Some pictures were not uploaded. Try again or remove them.',
  'picture.name': 'Picture {at}',
  'picture.preparing': 'Preparing picture {at}',
  'picture.uploading': 'Uploading picture {at}',
  'picture.failed': 'The picture was not uploaded.',
  'picture.unreadable': 'This picture cannot be read here. If it is a HEIC photo, save it as JPEG.',
  'picture.retry': 'Upload picture {at} again',
  'picture.remove': 'Remove picture {at}',
  'picture.notRemoved': 'The picture could not be removed.',
});
