import type { PageText } from '../../page-text';

export const text: PageText = {
  title: 'Privacy',
  lede: 'What we store, why, for how long, and who can see it.',
  versioned: true,
  changed: '2026-11-01',
  sections: [
    {
      id: 'what-we-store',
      title: 'What we store',
      blocks: [
        [
          'Your account: username, email address, language, your picture if you give one. Of your password only a hash that cannot be turned back.',
          'Your money: every transaction of your balance, deposits with their transaction IDs, withdrawals with the number they were sent to.',
          'Your deals: who with, the price, the description, every step and when it was taken, reviews.',
          'What you write: posts, messages, disputes, support requests, bug reports and contact messages.',
          'What you save: posts and searches.',
          'Your sessions: for each browser in which you are logged in, its name and its network address, so that you can see and end them.',
          'For each browser in which you turn on push notifications: its name, and the address that the maker of the browser gave it for them.',
        ],
        'An account needs neither your name nor your address nor an identity card. We never ask for the PIN of bKash or Nagad.',
      ],
    },
    {
      id: 'pictures',
      title: 'Pictures',
      blocks: [
        'Every picture that you send is drawn anew by our server. What a camera adds, such as the place and the time, is lost in this and not stored.',
        'Pictures of a conversation, a delivery or a dispute can be opened only by the two people in it and by admins. Profile pictures and pictures of posts are public.',
      ],
    },
    {
      id: 'who-sees-it',
      title: 'Who sees what',
      blocks: [
        [
          'Everybody: your username, your picture, since when you are a member, your posts, the reviews you received, your success score and average rating, whether your email is verified, with how many people and roughly for how much you traded, and how fast you usually deliver and answer.',
          'The other side of a deal or a conversation: what you write and do in it, and whether you are online.',
          'Admins: accounts with their balances, deals, deposits, withdrawals and requests.',
          'Nobody else. We do not sell data, show advertising or load anything from other companies’ servers. Push notifications, if you turn them on, pass through a service of the browser’s maker, encrypted so that only your browser can read them.',
        ],
      ],
    },
    {
      id: 'conversations',
      title: 'Admins and your conversations',
      blocks: [
        'To decide a dispute an admin can read the conversation of two users. Each such look is written to a log that nobody can change, with the name of the admin, the two users and the time.',
        'So is everything else that an admin does: approving, rejecting, sending, cancelling.',
      ],
    },
    {
      id: 'how-long',
      title: 'For how long',
      blocks: [
        [
          'A browser gets push notifications until you turn them off or log out, and is deleted then, at the latest after 90 days in which it did not open the site.',
          'A session ends after 24 hours without use, at the latest 14 days after the login. Then it is deleted.',
          'That a browser is known to your account is forgotten a year after the last login from it.',
          'Notifications are deleted after 180 days, or after a year if you have not read them.',
          'Links in emails: 30 minutes for a new password, 24 hours for verifying an address.',
          'A deleted post is gone right away; a picture that nothing shows any more is gone a day later.',
          'Messages, deals, reviews and requests are kept, because either side may need them. When an account is closed, its messages and posts and the words of its reviews are erased.',
          'Transactions and the log of the admins are never deleted or changed: a ledger with holes proves nothing.',
        ],
      ],
    },
    {
      id: 'on-your-device',
      title: 'On your device',
      blocks: [
        [
          'Cookies: one for your session, one by which your account knows this browser, one for the language of the page. None follows you elsewhere.',
          'Storage of the browser: your choice of language and theme, forms that you have begun, the conversation you had open, the last 12 posts you opened, and the referral code of who invited you until you have signed up.',
          'While you are logged in, the balance and the deals that you saw last, for a day, so that you can look at them without a connection.',
        ],
      ],
    },
    {
      id: 'mail',
      title: 'Email',
      blocks: [
        'We write to you about your account, your deals, your money and the searches that you save. You choose which ones in the settings of your notifications, and emails that are not needed for your account have an unsubscribe link. We send no advertising.',
      ],
    },
    {
      id: 'your-rights',
      title: 'What you can do',
      blocks: [
        [
          'See and end your sessions, change your picture, your language and your password by yourself.',
          'Download a copy of everything that is yours on the security page, or ask on the contact page for a correction.',
          'Close your account on the security page. Your email, your picture, your posts and the text of your messages are erased then. What the other side of a deal needs, and the ledger, stay under a made-up name.',
        ],
      ],
    },
  ],
};
