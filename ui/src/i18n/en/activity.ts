import { texts } from '../texts';

/** What happened to the security of an account, by the kinds of the server. */
export const activity = texts('activity', {
  title: 'Recent activity',
  text: 'The last 90 days. If something here wasn’t you, change your password.',
  failed: 'The list could not be loaded.',
  'kind.account_opened': 'Account created',
  'kind.login': 'Logged in',
  'kind.login_failed': 'Login with a wrong password',
  'kind.factor_failed': 'Wrong code or passkey',
  'kind.passkey_copied': 'A copied passkey was refused',
  'kind.password_changed': 'Password changed',
  'kind.reset_asked': 'New password requested by email',
  'kind.password_reset': 'New password chosen with the emailed link',
  'kind.email_verified': 'Email verified',
  'kind.email_asked': 'Change of email requested',
  'kind.email_changed': 'Email changed',
  'kind.email_undone': 'Change of email undone',
  'kind.app_added': 'Authenticator app set up',
  'kind.app_removed': 'Authenticator app turned off',
  'kind.passkey_added': 'Passkey added',
  'kind.passkey_removed': 'Passkey removed',
  'kind.codes_made': 'New backup codes made',
  'kind.others_ended': 'Logged out everywhere else',
  'kind.withdrawals_stopped': 'Withdrawals stopped',
  'kind.withdrawal_confirmed': 'Held withdrawal confirmed',
});
