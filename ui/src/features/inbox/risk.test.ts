import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Risk, riskOf, wordPattern } from './risk';

const words = wordPattern([
  'send money',
  'bkash korben',
  'WhatsApp',
  'advance',
  'বিকাশ করেন',
  'অগ্রিম',
  'হোয়াটসঅ্যাপ',
  'wa.me',
  'C++',
]);

const found: Record<Risk, readonly string[]> = {
  phone: [
    '01712345678',
    'call 01712-345678 now',
    'Call:01712 345 678.',
    '017 12 34 56 78',
    '(017) 12-345678',
    '01712 - 345678',
    '+8801712345678',
    '+880 1712 345678',
    '+880 (0)1712-345678',
    '880-1712-345678',
    '008801712345678',
    '+88 01712 345678',
    '8801912345678',
    '০১৭১২৩৪৫৬৭৮',
    '০১৭১২-৩৪৫৬৭৮',
    '+৮৮০ ১৭১২ ৩৪৫৬৭৮',
    'নম্বর০১৭১২৩৪৫৬৭৮তে দেন',
    '০1৭12৩45৬78',
    '０１７１２３４５６７８',
    '0 1 7 1 2 3 4 5 6 7 8',
    '0-1-7-1-2-3-4-5-6-7-8',
    '017\u200b12345678',
    'https://example.com/8801712345678',
  ],
  link: [
    'https://www.bkash.com/pay/abc',
    'http://bkash-offer.xyz/x',
    'shop.bkash.com/pay',
    'paypal.me/rahim',
    'PayPal.me/rahim',
    'go to wise.com/pay/me/rahim.',
    'https://nagad.com.bd',
    'nagadpay.top',
    'https://rocket.com.bd/x',
    'www.upaybd.com',
    'https://cash.app/$rahim',
    'bkash://pay?to=1',
    'payment: https://binance.com/en 01712345678',
  ],
  words: [
    'Send money first',
    'SEND   MONEY',
    'send-money',
    'please send\nmoney',
    'bKash korben?',
    'my whatsapp: rahim',
    'an advance of $5',
    'আপনি বিকাশ করেন।',
    'অগ্রিম দিতে হবে',
    'হোয়াটসঅ্যাপ আছে?',
    'হোয়াটস\u200cঅ্যাপ',
    'see wa.me/rahim',
    'I write C++',
  ],
};

const harmless = [
  '',
  'Is it still there?',
  // prices and other amounts
  '01700 taka',
  '01700 taka, 345678 views',
  'It has 01712 or 345678 followers',
  '৳1,71,23,456',
  '$1712345678',
  '17,123,456.78',
  // ids and order numbers
  'Order #01712345678',
  '017123456789012',
  'card 0171 2345 6789 0123',
  'TrxID CKJ8H5TY2M',
  'TrxID 01712345678AB',
  'AB01712345678',
  '019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f',
  // not a mobile prefix
  '01112345678',
  '0212345678',
  '+8801212345678',
  // dates and times
  '01-03-2026 10:30:45',
  '01.3.2026 1530 45',
  '2026-01-31 2345678',
  '01/03/2026 01/04/2026',
  '01-31-2026 12 34 56 78',
  // links to others, names that only resemble a service
  'https://youtube.com/watch?v=01',
  'I sell wp-rocket.me licences',
  'https://likewise.com, pinstripe.com, upayments.example',
  'the channel is about bkash.apni can see',
  'otherwise. commerce',
  // parts of words
  'advanced course',
  'resend moneybag',
  'বিকাশ করেনি',
  'Thanks in advance!',
  'Thank you so much in advance',
];

describe('riskOf', () => {
  for (const [risk, texts] of Object.entries(found)) {
    it.each(texts)(`finds ${risk}: %j`, (text) => expect(riskOf(text, words)).toBe(risk));
  }
  it.each(harmless)('finds nothing: %j', (text) => expect(riskOf(text, words)).toBeNull());

  it('without words still finds numbers and links', () => {
    const none = wordPattern([' ', '']);
    expect(none).toBeNull();
    expect(riskOf('send money', none)).toBeNull();
    expect(riskOf('01712345678', none)).toBe('phone');
    expect(riskOf('paypal.me/rahim', none)).toBe('link');
  });

  it('takes no longer for texts made to slow it down', () => {
    const began = performance.now();
    for (const text of ['0'.repeat(4000), '01'.repeat(2000), 'a-'.repeat(2000), 'a.'.repeat(2000), '0 1 7 '.repeat(700)])
      riskOf(text, words);
    expect(performance.now() - began).toBeLessThan(500);
  });
});

it('finds what the server’s own list is for', () => {
  const source = readFileSync('../internal/app/config/config.go', 'utf8');
  const list = source.slice(source.indexOf('defaultWarningWords = '), source.indexOf('// WarningWords'));
  const defaults = wordPattern([...list.matchAll(/"([^"]+)"/g)].map(([, word]) => word ?? ''));
  const asked = [
    'Vai, 500 taka send money koren',
    'bKash korben please',
    'amar bKash number e den',
    'WhatsApp e asen',
    'pay outside Amanat, no fee',
    'personal number',
    'ভাই, বিকাশ করেন',
    'আগে অ্যাডভান্স দেন',
    'আমার পার্সোনাল নাম্বারে দেন? পার্সোনাল নাম্বার',
    'টাকা পাঠিয়ে দেন',
    'হোয়াটসঅ্যাপে আসেন',
  ];
  for (const text of asked) expect(riskOf(text, defaults), text).toBe('words');
  const fine = [
    'I paid by bKash yesterday and the deposit was approved.',
    'ডিপোজিট বিকাশ দিয়ে করেছি',
    'When will you deliver?',
    'দাম কত?',
  ];
  for (const text of fine) expect(riskOf(text, defaults), text).toBeNull();
});
