import { texts } from '../texts';

export const terms = texts('terms', {
  updated: 'We have updated our <terms>Terms</terms> and our <privacy>Privacy Policy</privacy>. Please read and accept them.',
  accept: 'Accept',
  accepted: 'Thank you.',
  failed: 'Something went wrong',
});
