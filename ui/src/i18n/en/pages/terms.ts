import type { PageText } from '../../page-text';

export const text: PageText = {
  title: 'Terms',
  lede: 'The rules of every deal here, in plain words. By opening an account you agree to them.',
  versioned: true,
  changed: '2026-11-01',
  sections: [
    {
      id: 'what-amanat-is',
      title: 'What Amanat is',
      blocks: [
        'Amanat is a neutral third party between a buyer and a seller. The buyer pays Amanat, not the seller. The seller delivers. The buyer checks and confirms. Then Amanat pays the seller.',
        'We are not a party to the sale: we do not own, sell, inspect or guarantee what people trade here. We hold the money of a deal and move it only as these rules say.',
      ],
    },
    {
      id: 'who-may-use-it',
      title: 'Who may use it',
      blocks: [
        [
          'You must be 18 or older.',
          'One person, one account. You are answerable for what is done with yours, so keep its password to yourself.',
          'Buyer and seller are roles in a deal, not kinds of accounts: you may be both.',
        ],
      ],
    },
    {
      id: 'fee',
      title: 'What it costs',
      blocks: [
        'One service fee: 2% of the price, rounded to the cent. It comes out of the seller’s part, and only when the deal is completed. The buyer pays the price and nothing on top: of a $100.00 deal the seller gets $98.00.',
        'When a deal is cancelled because the buyer asked for it, the 2% is taken from the refund. No other refund costs anything.',
        'We charge nothing for deposits, withdrawals, messages or posts. What bKash or Nagad charge for their own transfers is between you and them.',
      ],
    },
    {
      id: 'deposits-and-withdrawals',
      title: 'Deposits and withdrawals',
      blocks: [
        'Your balance is kept in US dollars. You fill it by sending money from bKash or Nagad to the personal account that the deposit form shows, and by reporting the amount and the transaction ID. An admin compares the report with what arrived and credits it. If another amount arrived, that amount is credited, and you are told why.',
        'A transaction ID counts once. A report that matches no transfer is rejected; nobody credits money for a screenshot.',
        'You withdraw to a bKash or Nagad number of your own. The amount leaves your balance right away and is held until an admin sends it. If it is rejected, all of it returns to your balance.',
        'The price of a dollar in taka is shown before you send anything, and is kept with each deposit and withdrawal. For deposits it is rounded up to a whole taka, for withdrawals down.',
      ],
    },
    {
      id: 'clock',
      title: 'Deadlines of a deal',
      blocks: [
        'Every deal shows which date comes next and what happens then. No money waits forever because someone is silent:',
        [
          'An agreed deal that is not paid by its due date is removed. The due date is the day of the agreement plus the days to deliver, 1 to 99.',
          'A paid deal that is not delivered by its due date becomes late. One day later the buyer can cancel for a full refund; 14 days later the refund is automatic.',
          'If the buyer pays late, the seller still has at least 24 hours before any of these dates counts.',
          'After delivery, the inspection period begins: the days that were agreed, 1 to 30, and 3 unless the deal says otherwise. What a courier carries is inspected from its arrival, at the latest from five days after delivery. If the buyer does not respond by then, the deal is completed and the seller is paid.',
          'A request to cancel a deal that was never delivered is answered within 72 hours; without an answer the buyer gets the refund.',
        ],
        'Both sides are warned 24 hours before money moves automatically.',
      ],
    },
    {
      id: 'refunds',
      title: 'Cancelling and refunds',
      blocks: [
        'The buyer gets everything back, without a fee, when:',
        [
          'the seller cancels,',
          'the buyer cancels a deal that is more than a day late and was never delivered,',
          'the seller’s account is suspended, nothing was ever delivered and the buyer cancels,',
          'the seller never delivers and the deal ends automatically,',
          'an admin cancels the deal.',
        ],
        'The buyer gets the price less 2% when the buyer asked to cancel and the seller agreed, or did not answer for 72 hours. When the buyer could have left for nothing by then, everything comes back.',
        'A buyer who asked for changes or a cancellation three times in one deal can only go on with a dispute. A completed deal is final: look at everything before you confirm.',
      ],
    },
    {
      id: 'disputes',
      title: 'When you cannot agree',
      blocks: [
        'Disputes are settled here, by a process of our own, and cost nothing. Open the deal, choose “Report a problem”, then “Open a dispute”. Your first dispute about a deal pauses its deadlines right away; later ones do not. The other party is notified and asked to answer.',
        'The two of you may divide the price as you like: either of you offers a split, and it is paid out once the other accepts. If you do not agree, an admin reads the deal, its timeline, your conversation and the dispute, and decides what each of you gets. The fee is 2% of the seller’s part.',
        'A decision is carried out when you have both accepted it, or after 72 hours. Until then either of you may appeal. There is one appeal in a dispute: another admin decides it, and that is final.',
        'When an account is suspended, the deadlines of its deals are paused, too, and an admin decides. A deal with a suspended account cannot be paid.',
        'What was delivered, and then disputed, is never decided automatically.',
      ],
    },
    {
      id: 'what-is-not-allowed',
      title: 'What is not allowed',
      blocks: [
        [
          'Trading what is not yours to sell, or what the law forbids.',
          'Asking for payment outside of Amanat for a deal that was agreed here. Such a payment cannot be protected.',
          'Reporting transfers that were not made, or using other people’s accounts or numbers.',
          'Insults, threats and unwanted advertising in messages, posts and reviews.',
        ],
        'We hold withdrawals and disable accounts that break these rules. Deals that are open then are decided like a dispute.',
      ],
    },
    {
      id: 'reviews-and-referrals',
      title: 'Reviews and referrals',
      blocks: [
        'The buyer of a completed deal may review the seller once. Reviews are public.',
        'Who invited you earns 1% of the value of each deal that you complete. It is paid from our fee and costs you nothing. Nobody earns from a deal of his own.',
      ],
    },
    {
      id: 'changes',
      title: 'Changes and contact',
      blocks: [
        'When these rules change, the date above changes with them. A deal that was paid before keeps its price and its fee.',
        'Questions: use the contact page. About one deal: open it, choose “Report a problem”, then “Get support”.',
      ],
    },
  ],
};
