import { describe, expect, it } from 'vitest';
import { shortId, titleOf } from './title';

describe('the title of a deal', () => {
  it.each([
    ['Ranna Ghor 24', 'Ranna Ghor 24'],
    ['  Logo for Kashful.\r\nTwo directions, two rounds.', 'Logo for Kashful'],
    ['Wait...', 'Wait...'],
    [
      'Samsung Galaxy A54, 8/256 GB. With the box, the charger and eleven months of the warranty.',
      'Samsung Galaxy A54, 8/256 GB',
    ],
    [
      'Samsung Galaxy A54 with the box, the charger and eleven months of the official warranty left',
      'Samsung Galaxy A54 with the box, the charger and eleven months of the…',
    ],
    ['রান্নাঘর ২৪ চ্যানেল। এর ৩১৮টি ভিডিও, ব্র্যান্ড অ্যাকাউন্ট এবং একই নামের ফেসবুক পেজ, সবই এই দামে।', 'রান্নাঘর ২৪ চ্যানেল'],
    ['', ''],
  ])('%j is %j', (description, title) => expect(titleOf(description)).toBe(title));

  it('cuts a line without spaces, and never in the middle of a letter', () => {
    expect(titleOf(`https://example.com/${'a'.repeat(100)}`)).toBe(`https://example.com/${'a'.repeat(52)}…`);
    expect(titleOf('কি'.repeat(60))).toBe(`${'কি'.repeat(36)}…`);
  });
});

it('the short id is the end of the id, which differs between deals of one day', () => {
  expect(shortId('0193a1b2-7a1b-7c2d-8e3f-9a0b7f3a91c2')).toBe('7f3a-91c2');
});
