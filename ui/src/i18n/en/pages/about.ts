import type { PageText } from '../../page-text';

export const text: PageText = {
  title: 'About us',
  lede: 'Amanat means something held in trust. That is the whole of our business.',
  sections: [
    {
      id: 'why',
      title: 'Why we are here',
      blocks: [
        'Someone sells a YouTube channel, a page, a phone or a week of work to someone they have never met. One of the two has to go first, and whoever goes first can lose everything.',
        'So neither goes first. The buyer pays Amanat. The seller sees that the money is there, and delivers. The buyer looks at it and confirms. We pay the seller.',
      ],
    },
    {
      id: 'how-we-work',
      title: 'How we work',
      blocks: [
        [
          'We are neutral. We earn nothing when the buyer is given the money back by our decision, and nothing at all before a deal is done.',
          'Money is always in one place, and you can always see which: with the buyer, with Amanat, or with the seller.',
          'Every deal says what happens next and when, also when the other side falls silent.',
          'A person decides disputes. It costs nothing, and deadlines are paused in the meantime.',
        ],
      ],
    },
    {
      id: 'money',
      title: 'How money gets in and out',
      blocks: [
        'You add money and withdraw it with bKash or Nagad, through personal accounts. An admin checks each transfer against its transaction ID, in both directions. Balances are kept in US dollars; the rate in taka stands beside every amount before you agree to it.',
        'Inside, each transaction is a line in a ledger with two sides. Lines are added and never changed, and the sums are checked against each other.',
      ],
    },
    {
      id: 'for-whom',
      title: 'For whom',
      blocks: [
        'For people of 18 and over who trade online: channels, pages and game accounts, freelance work, phones and other goods. In Bangla and in English, on a cheap phone and a slow line as well as on a desk.',
        'Whoever brings a friend earns 1% of the friend’s completed deals, out of our fee.',
      ],
    },
  ],
};
