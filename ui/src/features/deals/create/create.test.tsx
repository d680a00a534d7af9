import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { keys } from '@/entities/keys';
import { isWide } from '@/testing/deals';
import { queryClient } from '@/testing/query-client';
import { apiMisbehaves, notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { aDeal, newAccountsBuyUpTo, nusrat, server, signedInAs } from '@/testing/server';

const tanvir = { _id: 'u-tanvir', username: 'tanvir', profilePic: '', isStaff: false };
const tania = { _id: 'u-tania', username: 'tania', profilePic: '', isStaff: true };

const said = () => notices.map(({ kind, text }) => [kind, text]);

let searches: string[];
let bodies: unknown[];
let sentKeys: (string | null)[];

beforeEach(() => {
  searches = [];
  bodies = [];
  sentKeys = [];
  signedInAs(nusrat);
  isWide(true);
  server.use(
    http.get('*/api/wallet/search', ({ request }) => {
      const text = new URL(request.url).searchParams.get('query') ?? '';
      searches.push(text);
      return HttpResponse.json([tania, tanvir].filter(({ username }) => username.includes(text)));
    }),
    // The page of the new deal.
    http.get('*/api/deals/d-1', () => HttpResponse.json({ ...aDeal(), timeline: [] })),
  );
});

/** Responses of the call in turn; the last one repeats. */
function createAnswers(...answers: (() => Response)[]) {
  server.use(
    http.post('*/api/deals/create', async ({ request }) => {
      bodies.push(await request.json());
      sentKeys.push(request.headers.get('Idempotency-Key'));
      return (answers.length > 1 ? answers.shift() : answers[0])?.();
    }),
  );
}

const created = () => HttpResponse.json({ ...aDeal(), timeline: [] }, { status: 201 });

/** The button at the top of the page; an empty list has a second one. */
async function opener(): Promise<HTMLElement> {
  const [button] = await screen.findAllByRole('button', { name: 'Create Deal' });
  if (!button) throw new Error('there is no button');
  return button;
}

async function openDialog() {
  const app = renderAt('/deal');
  await app.user.click(await opener());
  const dialog = within(await screen.findByRole('dialog', { name: 'Create Deal' }));
  await app.user.click(dialog.getByRole('button', { name: /^Find by username/ }));
  const submit = () => app.user.click(dialog.getByRole('button', { name: 'Send' }));
  const who = dialog.getByRole('combobox', { name: 'Who is the deal with?' });
  const list = within(dialog.getByRole('listbox', { hidden: true }));
  const found = (username: string) => list.findByText(username);
  return { ...app, dialog, submit, who, list, found };
}

async function fillIn(role: 'Buyer' | 'Seller') {
  const form = await openDialog();
  const { user, dialog, who, found } = form;
  await user.type(who, 'tanv');
  await found('tanvir');
  await user.keyboard('{Enter}');
  await user.click(dialog.getByRole('radio', { name: new RegExp(role) }));
  await user.type(dialog.getByLabelText('Price'), '480');
  await user.type(dialog.getByLabelText('Description'), 'Ranna Ghor 24');
  await user.click(within(dialog.getByRole('group', { name: /^Deliver within/ })).getByRole('radio', { name: /^14/ }));
  return form;
}

describe('the rules of a new deal', () => {
  it('are said in the order of the specification, each also at its field', async () => {
    const { user, dialog, submit, who, found } = await openDialog();
    const step = async (expected: string) => {
      notices.length = 0;
      await submit();
      await waitFor(() => expect(said()).toEqual([['error', expected]]));
    };
    await step('Select a user.');
    expect(who).toHaveFocus();
    expect(who).toHaveAccessibleDescription('Select a user.');
    await user.type(who, 'ta');
    await user.click(await found('tanvir'));
    await step('All fields are required.');
    expect(dialog.getByLabelText('Price')).toHaveFocus();
    await user.type(dialog.getByLabelText('Price'), '480');
    await step('All fields are required.');
    expect(dialog.getByLabelText('Description')).toHaveFocus();
    expect(dialog.getByLabelText('Description')).toHaveAccessibleDescription('All fields are required.');
    await user.type(dialog.getByLabelText('Description'), '  Ranna Ghor 24 ');
    await step('Please select your role.');
    expect(dialog.getByRole('radio', { name: /Buyer/ })).toHaveFocus();
    await user.click(dialog.getByRole('radio', { name: /Buyer/ }));
    const days = within(dialog.getByRole('group', { name: /^Deliver within/ }));
    expect(days.getByRole('radio', { name: '3 days' })).toBeChecked();
    await user.click(days.getByRole('radio', { name: 'Other' }));
    const own = days.getByLabelText('Deliver within: number of days');
    for (const wrong of ['', '0']) {
      if (wrong) await user.type(own, wrong);
      await step('Please Choose Delivery Duration');
      expect(own).toHaveAccessibleDescription('Please Choose Delivery Duration');
      expect(own).toHaveFocus();
    }
    expect(bodies).toEqual([]);
  });

  it('ask for a signed-in user before the role', async () => {
    const { dialog, submit, user } = await fillIn('Buyer');
    queryClient.setQueryData(keys.me, null);
    await submit();
    await waitFor(() => expect(said()).toEqual([['error', 'User not authenticated.']]));
    expect(dialog.getByLabelText('Description')).toHaveValue('Ranna Ghor 24');
    await user.keyboard('{Escape}');
  });

  it('bound the price', async () => {
    const { dialog, submit, user } = await fillIn('Buyer');
    await user.clear(dialog.getByLabelText('Price'));
    await user.type(dialog.getByLabelText('Price'), '1000000.01');
    await submit();
    await waitFor(() => expect(said()).toEqual([['error', 'The price must be between $0.01 and $1,000,000.00.']]));
  });
});

describe('the price', () => {
  it('takes digits of both scripts, and shows taka, fee and what the seller gets', async () => {
    const { dialog, user } = await openDialog();
    const price = dialog.getByLabelText('Price');
    await user.type(price, '$৪৮0.5৫');
    expect(price).toHaveValue('$480.55');
    const facts = dialog.getByText('The seller gets').closest('dl');
    expect(facts).toHaveTextContent('The buyer pays$480.55Amanat’s fee, 2%− $9.61The seller gets$470.94');
    expect(await dialog.findByText('≈ ৳58,627')).toBeVisible();
    expect(dialog.getByText('1 USD = ৳122')).toBeVisible();
    // A buyer pays at the rate of deposits.
    await user.click(dialog.getByRole('radio', { name: /^Buyer/ }));
    expect(dialog.getByText('1 USD = ৳123')).toBeVisible();
    expect(dialog.getByText('≈ ৳59,107')).toBeVisible();
  });
});

describe('the search for the other user', () => {
  it('asks once the typing pauses, from two characters on, and is worked by keys alone', async () => {
    const { dialog, user, who, list, found } = await openDialog();
    await user.type(who, 't');
    await user.type(who, 'an');
    await found('tanvir');
    expect(list.getAllByRole('option').map((option) => option.textContent)).toEqual(['Ttania', 'Ttanvir']);
    expect(searches).toEqual(['tan']);
    expect(dialog.getByText('2 users found')).toBeInTheDocument();
    await user.keyboard('{ArrowDown}');
    expect(who).toHaveAttribute('aria-activedescendant', list.getByRole('option', { name: /tanvir/ }).id);
    await user.keyboard('{Enter}');
    expect(who).toHaveValue('tanvir');
    expect(list.queryByRole('option')).toBeNull();
  });

  it('keeps the mark of staff beside the name that was chosen', async () => {
    const { dialog, user, who, found } = await openDialog();
    await user.type(who, 'tania');
    await found('tania');
    await user.keyboard('{Enter}');
    expect(who).toHaveValue('tania');
    expect(dialog.getByRole('img', { name: 'Amanat staff' })).toBeVisible();
  });

  it('closes its list with Escape and leaves the dialog open', async () => {
    const { user, who, list, found } = await openDialog();
    await user.type(who, 'tan');
    await found('tanvir');
    await user.keyboard('{Escape}');
    expect(list.queryByRole('option')).toBeNull();
    expect(screen.getByRole('dialog')).toBeVisible();
  });

  it('says that there is nobody, and that it failed', async () => {
    const { dialog, user, who } = await openDialog();
    await user.type(who, 'zzz');
    expect(await dialog.findByText('No users found.')).toBeVisible();
    server.use(http.get('*/api/wallet/search', () => HttpResponse.json({ message: '', code: 'rate_limited' }, { status: 429 })));
    await user.clear(who);
    await user.type(who, 'farhana');
    expect(await dialog.findByText('Failed to search users')).toBeVisible();
    expect(said()).toEqual([['error', 'Failed to search users']]);
  });

  it('takes a choice back when the name is changed', async () => {
    const { dialog, submit, user, who } = await fillIn('Buyer');
    await user.click(dialog.getByRole('button', { name: 'Choose someone else' }));
    expect(who).toHaveValue('');
    await submit();
    await waitFor(() => expect(said()).toEqual([['error', 'Select a user.']]));
  });
});

describe('creating', () => {
  it.each([
    ['Seller', 'Deal request sent!', { buyerId: 'u-tanvir', sellerId: 'u-nusrat' }],
    ['Buyer', 'Deal created!', { buyerId: 'u-nusrat', sellerId: 'u-tanvir' }],
  ] as const)('as %s says %j and shows the deal', async (role, toast, sides) => {
    createAnswers(created);
    const { router, submit } = await fillIn(role);
    await submit();
    await waitFor(() => expect(said()).toEqual([['success', toast]]));
    expect(bodies).toEqual([{ price: 480, description: 'Ranna Ghor 24', deliveryDuration: 14, inspectionDays: 3, ...sides }]);
    await waitFor(() => expect(router.state.location.pathname).toBe(`/deal/${aDeal()._id}`));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('keeps what was typed and its key through a lost answer, and says the server’s word of a refusal', async () => {
    apiMisbehaves(); // a 200 is not a created deal
    const refused = { message: 'This account is disabled.', code: 'forbidden' };
    createAnswers(
      () => HttpResponse.error(),
      () => HttpResponse.json(refused, { status: 403 }),
      () => HttpResponse.json({ ...aDeal(), timeline: [] }, { status: 200 }),
      created,
    );
    const { dialog, submit } = await fillIn('Seller');
    await submit();
    await waitFor(() => expect(said()).toEqual([['error', 'Unexpected error.']]));
    expect(dialog.getByRole('combobox', { name: 'Who is the deal with?' })).toHaveValue('tanvir');
    expect(dialog.getByLabelText('Price')).toHaveValue('480');
    expect(dialog.getByLabelText('Description')).toHaveValue('Ranna Ghor 24');
    await submit();
    await waitFor(() => expect(said().at(-1)).toEqual(['error', 'This account is disabled.']));
    await submit();
    await waitFor(() => expect(said().at(-1)).toEqual(['error', 'Deal creation failed.']));
    await submit();
    await waitFor(() => expect(said().at(-1)).toEqual(['success', 'Deal request sent!']));
    expect(sentKeys[0]).toBe(sentKeys[1]);
    expect(sentKeys[2]).not.toBe(sentKeys[1]);
  });

  it('shows at the field what the server says of it', async () => {
    const message = 'Select a user.';
    createAnswers(() => HttpResponse.json({ message, code: 'invalid', fields: { buyerId: message } }, { status: 400 }));
    const { submit, who } = await fillIn('Seller');
    await submit();
    await waitFor(() => expect(who).toHaveAccessibleDescription(message));
    expect(said()).toEqual([['error', message]]);
  });

  it.each([
    ['10 days', [], 10],
    ['Other', ['৭'], 7],
  ])('gives the buyer the time to check that was chosen (%s %s)', async (choice, typed, inspectionDays) => {
    createAnswers(created);
    const { dialog, submit, user } = await fillIn('Seller');
    const check = within(dialog.getByRole('group', { name: /^Inspection period/ }));
    expect(check.getByRole('radio', { name: '3 days' })).toBeChecked();
    expect(check.getByText(/the money is released automatically/)).toBeVisible();
    await user.click(check.getByRole('radio', { name: choice }));
    for (const text of typed) await user.type(check.getByLabelText('Inspection period: number of days'), text);
    await submit();
    await waitFor(() => expect(bodies).toEqual([expect.objectContaining({ inspectionDays })]));
  });

  it('takes no time to check that is none, and says so last', async () => {
    const { dialog, submit, user } = await fillIn('Seller');
    const check = within(dialog.getByRole('group', { name: /^Inspection period/ }));
    await user.click(check.getByRole('radio', { name: 'Other' }));
    const own = check.getByLabelText('Inspection period: number of days');
    await user.type(own, '31');
    await submit();
    const message = 'The inspection period must be 1 to 30 days.';
    await waitFor(() => expect(said()).toEqual([['error', message]]));
    expect(own).toHaveAccessibleDescription(message);
    expect(own).toHaveFocus();
    await user.clear(dialog.getByLabelText('Description'));
    notices.length = 0;
    await submit();
    await waitFor(() => expect(said()).toEqual([['error', 'All fields are required.']]));
    expect(bodies).toEqual([]);
  });

  it('suggests more days for what is slow to hand over, and leaves alone what was chosen', async () => {
    const { dialog, user } = await fillIn('Seller');
    const group = (name: RegExp) => within(dialog.getByRole('group', { name }));
    const checked = () =>
      [/^Deliver within/, /^Inspection period/].map((name) => group(name).getByRole('radio', { checked: true }));
    const names = () => checked().map((radio) => radio.closest('label')?.textContent.trim());
    await user.type(dialog.getByLabelText('Description'), ', a landing page');
    expect(names()).toEqual(['14 days', '3 days']);
    await user.type(dialog.getByLabelText('Description'), ' for my channel');
    expect(names()).toEqual(['14 days', '10 days']);
    await user.clear(dialog.getByLabelText('Description'));
    expect(names()).toEqual(['14 days', '3 days']);
  });

  it('says a buyer’s limit before they send, from the api', async () => {
    newAccountsBuyUpTo(200);
    const { dialog, user } = await fillIn('Buyer');
    const note = await dialog.findByText('Your account buys up to $200 now.');
    expect(note.parentElement).toHaveTextContent('Wait a day for $1,000.');
    await user.click(dialog.getByRole('radio', { name: /Seller/ }));
    expect(note).not.toBeInTheDocument();
  });

  it('keeps a refusal because of a limit in the form, with the way to the limits', async () => {
    const message = 'Deals up to $200.00 are possible with your account now.';
    createAnswers(() =>
      HttpResponse.json({ code: 'conflict', reason: 'limit_per_deal', params: { limit: 200 }, message }, { status: 409 }),
    );
    const { dialog, submit } = await fillIn('Buyer');
    await submit();
    expect(await dialog.findByText(message)).toBeVisible();
    expect(dialog.getByRole('link', { name: 'See your limits and how to raise them' })).toHaveAttribute(
      'href',
      '/balance#limits',
    );
  });

  it('keeps a draft while the dialog is closed', async () => {
    const { user } = await fillIn('Seller');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(await opener());
    expect(await screen.findByRole('heading', { name: 'Ranna Ghor 24' })).toBeVisible();
    expect(screen.getByText('You sell to tanvir')).toBeVisible();
    expect(screen.getByRole('radio', { name: '14 days' })).toBeChecked();
  });
});
