import { texts } from '../texts';

/** Contains fixed texts (docs/rules.md#texts). */
export const settings = texts('settings', {
  own: 'Profile',
  seeOwn: 'See how others see you',
  account: 'Your account',
  username: 'Username',
  usernameHelp: 'It’s part of your profile link and can’t be changed.',
  email: 'Email',
  emailVerified: 'Verified',
  emailUnverified: 'Not verified yet',
  password: 'Password',
  picture: 'Profile picture',
  pictureHelp: 'A photo or logo people will recognise. Visible to everyone.',
  choose: 'Choose a picture',
  change: 'Change the picture',
  remove: 'Remove the picture',
  saving: 'Saving…',
  updated: 'Profile updated successfully!',
  notImage: 'Please select an image file!',
  unreadable: 'This picture cannot be read here. Save it as JPEG or PNG and choose it again.',
  updateFailed: 'Something went wrong',

  preferences: 'Language and notifications',
  language: 'Language',
  languageHelp: 'Used for the site, emails and notifications.',
  english: 'English',
  bangla: 'বাংলা',
  notifications: 'What we tell you while you are away, by email and push.',
  toNotifications: 'Notification settings',

  security: 'Security',
  securityText: 'Your password, two-step login and where you are logged in.',
  securityOn: 'Two-step login is on.',
  securityOff: 'Two-step login is off.',
  toSecurity: 'Security settings',
});
