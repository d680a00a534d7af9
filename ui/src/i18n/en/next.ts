import { texts } from '../texts';

export const next = texts('next', {
  chat: 'Next: your chat with {seller} about “{title}”.',
  deal: 'Next: your deal with {seller} about “{title}”.',
  person: 'Next: your chat with {name}.',
  post: 'Next: your post.',
  offer: 'Next: the deal you were invited to.',
});
