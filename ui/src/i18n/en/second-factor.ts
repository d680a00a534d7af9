import { texts } from '../texts';

/** Proving that it is you with the second factor: at a login, before a change, for a withdrawal. */
export const secondFactor = texts('secondFactor', {
  password: 'Password',
  'password.required': 'Password is required.',
  'code.required': 'Enter the code.',
  'totp.label': 'Code from your authenticator app',
  'totp.help': '6 digits. A new code appears every 30 seconds.',
  'totp.instead': 'Use your authenticator app instead',
  'backup.label': 'Backup code',
  'backup.help': 'One of the ten codes you saved. Each works once.',
  'backup.instead': 'Use a backup code instead',
  'passkey.use': 'Use a passkey',
  'passkey.text': 'Your device asks for your fingerprint, face or screen lock.',
  'passkey.failed': 'Your device couldn’t use a passkey. Try again, or choose another way.',
  'confirm.title': 'Confirm that it’s you',
  'confirm.passwordTitle': 'Enter your password again',
  'confirm.submit': 'Confirm',
  'login.verify': 'Verify',
});
