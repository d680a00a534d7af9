import { texts } from '../texts';

export const lists = texts('lists', {
  showMore: { one: 'Show {count} more', other: 'Show {count} more' },
  showMoreFailed: 'The rest could not be loaded.',
  pageOf: 'Page {page} of {pages}',
});

export const money = texts('money', {
  usd: 'USD',
  bdt: 'BDT',
  noRate: 'Failed to fetch conversion rate',
  amountUnread: 'Type the amount in digits, such as 1250.50.',
});

export const period = texts('period', {
  title: 'Days',
  lifetime: 'Lifetime',
  days: { one: '{count} day', other: '{count} days' },
  custom: 'Custom',
  first: 'First day',
  last: 'Last day',
  show: 'Show',
  order: 'The last day must not be before the first.',
  empty: 'Choose a first or a last day.',
});

export const pictures = texts('pictures', {
  before: 'Previous picture',
  next: 'Next picture',
  place: '{at} of {count}',
});

export const share = texts('share', {
  share: 'Share',
  title: 'Share the link',
  qr: 'QR code of the link',
  qrText: 'Or let them scan it.',
  other: 'Other apps',
  whatsapp: 'WhatsApp',
  messenger: 'Messenger',
  copy: 'Copy link',
  copyOf: 'Copies the link',
  copied: 'Link copied',
  failed: 'Could not share. Copy the link instead.',
});
