import { texts } from '../texts';

export const shell = texts('shell', {
  skip: 'Skip to content',
  main: 'Main',
  login: 'Login',
  join: 'Join',
  marketplace: 'Marketplace',
  verify: 'Please verify your email.',
  'verify.again': 'Send again',
  'verify.wrong': 'Wrong address?',
  languageKept: 'Language changed on this device only. Emails and notifications stay in the old one.',
  otherLanguage: 'বাংলা',
  themeDark: 'Dark',
  themeLight: 'Light',
  toDark: 'Switch to dark',
  toLight: 'Switch to light',
  checking: 'Loading',
  offline: 'You are offline. What you see may be out of date.',
  held: 'Held in trust.',
  start: 'Start a Transaction',
  neutral: 'A neutral third party between buyer and seller. For people aged 18 and over.',
  payment: 'Payment options',
  paymentMethods: 'bKash, Nagad (personal)',
  company: 'Company',
  about: 'About us',
  leaders: 'Our leaders',
  papers: 'Government papers',
  terms: 'Terms',
  privacy: 'Privacy',
  help: 'Help',
  contact: 'Contact us',
  reportBug: 'Report a bug',
  display: 'Language and display',
  'notFound.title': 'Page not found',
  'notFound.text': 'The address may be mistyped, or the page was removed.',
  'notFound.home': 'Go to home page',
  'notFound.page': 'Not found',
  'failed.title': 'This page could not be loaded.',
  'failed.page': 'Something went wrong',
});

export const live = texts('live', {
  lost: 'Live updates are interrupted. Everything still works; this page checks for updates every few seconds.',
});

export const pauses = texts('pauses', {
  money: 'Payments are paused for a short time. Your money is safe, and deals keep their state.',
  deposits: 'Deposits are paused for a short time. Please do not send money now.',
  withdrawals: 'Withdrawals are paused for a short time. Your balance is safe.',
});

export const terms = texts('terms', {
  updated: 'We have updated our <terms>Terms</terms> and our <privacy>Privacy Policy</privacy>. Please read and accept them.',
  accept: 'Accept',
  accepted: 'Thank you.',
  failed: 'Something went wrong',
});

export const notifications = texts('notifications', {
  title: 'Notifications',
  unread: 'Notifications, some unread',
  arrived: 'You have unread notifications.',
  none: 'No notifications yet.',
  noneText: 'Updates about your deals and money appear here.',
  loading: 'Loading more notifications...',
  failed: 'The notifications could not be loaded.',
  readAll: 'Mark all as read',
  isUnread: 'Unread.',
  justNow: 'Just now',
});
