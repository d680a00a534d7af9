import type { Checkout, Deposit, DepositReason, DepositSubmitted, DepositWait } from '@/api/contract';
import type { Demo } from './cast';
import { loading, overlay, patched, type Scene, still } from './scene';

const AT = '2026-01-02T04:00:00Z';
const WAIT: DepositWait = { usualMinutes: 27, from: '09:00', to: '23:00', open: true, nextOpenAt: null };
const CLOSED: DepositWait = { ...WAIT, open: false, nextOpenAt: '2026-01-03T03:00:00Z' };

/** A submitted form. */
const receipt = (name: string, over: () => Partial<Deposit> = () => ({})): Scene => ({
  ...{ who: 'buyer', name, path: '/deposit?method=Bkash&amount=100&trx=9H7A1B2C3D', window: true },
  before: (page) =>
    page.route('**/api/auth/deposit', async (route) => {
      const answer = await page.request.get('/api/auth/deposit/history');
      const { deposits } = (await answer.json()) as { deposits: Deposit[] };
      const [known] = deposits;
      const deposit = { ...known, amount: 100, claimedAmount: 100, convertedAmount: 12_300, rate: 123, status: 'pending' };
      const json = {
        ...{ success: true, message: '', wait: WAIT },
        // An unknown id, so that the receipt stays as it is submitted.
        deposit: {
          ...deposit,
          _id: '00000000-0000-7000-8000-000000000000',
          reason: null,
          reasonCode: null,
          transactionId: '9H7A1B2C3D',
          paymentMethod: 'Bkash',
          ...over(),
        },
      };
      await route.fulfill({ status: 201, json: json as DepositSubmitted });
    }),
  act: async (page) => {
    await overlay(page).locator('form').waitFor();
    await overlay(page).locator('form [type=submit]').click();
    await page.locator('[data-slot="deposit-receipt"]').waitFor();
  },
});

/** The dialog after "I have sent". */
export const reported: Scene[] = [
  receipt('deposit-receipt'),
  receipt('deposit-receipt-sms', () => ({ createdAt: new Date().toISOString() })),
  receipt('deposit-receipt-credited', () => ({ status: 'completed', handledAt: AT })),
];

/** The page of a payment with bKash in each state; once it is paid, the deposit with its id. */
export const checkouts = ({ deposit: id }: Demo): Scene[] => {
  const as = (name: string, over: Pick<Checkout, 'state'> & Partial<Checkout>): Scene => ({
    ...still('buyer', `checkout-${name}`, `/balance/checkouts/${id}`),
    before: (page) =>
      page.route('**/api/checkouts/*', (route) =>
        route.fulfill({
          json: { _id: id, amount: 100, convertedAmount: 12_300, url: null, dealId: null, failure: null, ...over },
        }),
      ),
  });
  return [
    as('waiting', { state: 'executing' }),
    as('left', { state: 'open', url: 'https://bkash.example' }),
    as('cancelled', { state: 'failed', failure: 'cancelled' }),
    as('unavailable', { state: 'failed', failure: 'unavailable' }),
    patched(as('paid', { state: 'paid' }), `/deposits/${id}`, ({ deposit }: { deposit: Deposit }) => ({
      wait: WAIT,
      deposit: { ...deposit, status: 'completed', reason: null, reasonCode: null, handledAt: AT },
    })),
  ];
};

/** The page of a deposit in each state. */
export const followed = ({ deposit: id }: Demo): Scene[] => {
  const path = `/balance/deposits/${id}`;
  const as = (name: string, over: Partial<Deposit>, wait = WAIT): Scene =>
    patched(still('buyer', name, path), `/deposits/${id}`, ({ deposit }: { deposit: Deposit }) => ({
      wait,
      deposit: { ...deposit, transactionId: '9H7A1B2C3D', ...over },
    }));
  const failed = (reasonCode: DepositReason, reason: string | null = null) =>
    as(`follow-${reasonCode}`, { status: 'Failed', reasonCode, reason, handledAt: AT });
  return [
    as('follow-pending', { status: 'pending', reason: null, reasonCode: null, handledAt: null }),
    as('follow-closed', { status: 'pending', reason: null, reasonCode: null, handledAt: null, disputed: true }, CLOSED),
    as('follow-credited', { status: 'completed', reason: null, reasonCode: null, handledAt: AT }),
    failed('not_found'),
    failed('other_amount', 'bKash shows ৳9,471.'),
    failed('used_before'),
    failed('retracted'),
    loading('buyer', 'follow', path, `/deposits/${id}`),
  ];
};
