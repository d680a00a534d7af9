import { texts } from '../texts';

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
