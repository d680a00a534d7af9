import { texts } from '../texts';

export const errors = texts('errors', {
  somethingWrong: 'Something went wrong',
  'advice.offline': 'Check your connection and try again.',
  'advice.server': 'It is not your fault. Try again in a moment.',
  'code.invalid': 'Please check what you entered.',
  'code.unauthenticated': 'Please log in again.',
  'code.invalid_credentials': 'Incorrect username or password',
  'code.forbidden': 'You are not allowed to do this.',
  'code.not_found': 'This does not exist, or it is not yours.',
  'code.conflict': 'This has changed in the meantime. Look at it again.',
  'code.insufficient_balance': 'Insufficient balance',
  'code.duplicate': 'This has been used already.',
  'code.already_handled': 'Somebody has already handled this.',
  'code.idempotency_mismatch': 'Your earlier attempt may have gone through. Look at the list before you try again.',
  'code.too_large': 'This is too large to send.',
  'code.rate_limited': 'Too many attempts. Please try again later.',
  'code.locked': 'Too many attempts. Please try again later.',
  'code.unavailable': 'The service is not available at the moment.',
});
