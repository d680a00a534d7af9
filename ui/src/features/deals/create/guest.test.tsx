import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { isWide } from '@/testing/deals';
import { anInvite, CODE } from '@/testing/invites';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

let bodies: unknown[];

beforeEach(() => {
  bodies = [];
  signedInAs(nusrat);
  isWide(true);
  server.use(
    http.post('*/api/deals/create', async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json(anInvite({ email: 'karim@example.com' }), { status: 201 });
    }),
  );
});

async function openGuest() {
  const app = renderAt('/deal');
  const [opener] = await screen.findAllByRole('button', { name: 'Create Deal' });
  if (!opener) throw new Error('there is no button');
  await app.user.click(opener);
  const dialog = within(await screen.findByRole('dialog', { name: 'Create Deal' }));
  await app.user.click(dialog.getByRole('button', { name: /^Send a link/ }));
  return { ...app, dialog, contact: dialog.getByLabelText('Email or phone (optional)') };
}

async function fillIn(contact: string) {
  const form = await openGuest();
  const { user, dialog } = form;
  if (contact) await user.type(form.contact, contact);
  await user.click(dialog.getByRole('radio', { name: /Seller/ }));
  await user.type(dialog.getByLabelText('Price'), '200');
  await user.type(dialog.getByLabelText('Description'), 'Ranna Ghor 24');
  await user.click(dialog.getByRole('radio', { name: '7 days' }));
  expect(dialog.getByText('Counted from the day they join.')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Get the link' }));
  return form;
}

describe('a deal with someone without an account', () => {
  it.each([
    ['', {}],
    ['karim@example.com', { email: 'karim@example.com' }],
    ['01712345678', { phone: '01712345678' }],
    ['০১৭১২৩৪৫৬৭৮', { phone: '01712345678' }],
    ['+8801712345678', { phone: '01712345678' }],
    ['01712-345678', { phone: '01712345678' }],
    ['01712 345678', { phone: '01712345678' }],
  ])('gives a link to send, for "%s"', async (contact, invite) => {
    const { user, router } = await fillIn(contact);
    const ready = within(await screen.findByRole('dialog', { name: 'Your link is ready' }));
    expect(bodies).toEqual([
      { price: 200, description: 'Ranna Ghor 24', deliveryDuration: 7, inspectionDays: 3, sellerId: nusrat._id, invite },
    ]);
    expect(notices.map(({ text }) => text)).toEqual(['Link created!']);
    expect(ready.getByText(`${window.location.host}/d/${CODE}`)).toBeVisible();
    expect(ready.getByText('We also emailed it to karim@example.com.')).toBeVisible();
    await user.click(ready.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'pending' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it.each(['karim', 'karim 01712345678', '0171234567', 'a@b'])(
    'asks for what can be reached in the place of "%s"',
    async (typed) => {
      const { contact } = await fillIn(typed);
      await waitFor(() => expect(contact).toBeInvalid());
      expect(contact).toHaveAccessibleDescription(
        expect.stringContaining('Enter an email address, or a phone number with 11 digits that starts with 01.'),
      );
      expect(bodies).toEqual([]);
    },
  );

  it('goes back to the search', async () => {
    const { user, dialog } = await openGuest();
    await user.click(dialog.getByRole('button', { name: 'Find by username' }));
    expect(dialog.getByRole('combobox', { name: 'Who is the deal with?' })).toBeVisible();
  });
});
