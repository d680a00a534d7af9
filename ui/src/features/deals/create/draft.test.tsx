import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { closePage, isWide, tanvir } from '@/testing/deals';
import { renderAt } from '@/testing/render';
import { aDeal, nusrat, server, signedInAs } from '@/testing/server';

let bodies: unknown[];

beforeEach(() => {
  bodies = [];
  signedInAs(nusrat);
  isWide(true);
  server.use(
    http.get('*/api/wallet/search', () =>
      HttpResponse.json([{ _id: tanvir._id, username: 'tanvir', profilePic: '', isStaff: false }]),
    ),
    http.post('*/api/deals/create', async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json({ ...aDeal(), timeline: [] }, { status: 201 });
    }),
  );
});

async function openDialog() {
  const { user } = renderAt('/deal');
  const [opener] = await screen.findAllByRole('button', { name: 'Create Deal' });
  if (opener) await user.click(opener);
  const dialog = within(await screen.findByRole('dialog', { name: 'Create Deal' }));
  return { user, dialog };
}

/** The fields of a dialog that has kept nothing. */
async function openFields() {
  const { user, dialog } = await openDialog();
  await user.click(dialog.getByRole('button', { name: /^Find by username/ }));
  return {
    ...{ user, dialog },
    who: dialog.getByRole('combobox', { name: 'Who is the deal with?' }),
    description: dialog.getByLabelText('Description'),
  };
}

/** Fills in a whole deal, then leaves the page. */
async function fillIn() {
  const { user, dialog, who, description } = await openFields();
  await user.type(who, 'tanv');
  await within(dialog.getByRole('listbox', { hidden: true })).findByText('tanvir');
  await user.keyboard('{Enter}');
  await user.click(dialog.getByRole('radio', { name: /Seller/ }));
  await user.type(dialog.getByLabelText('Price'), '480');
  await user.type(description, 'Ranna Ghor 24');
  await user.click(dialog.getByRole('radio', { name: '14 days' }));
  await user.click(dialog.getByRole('radio', { name: '10 days' }));
  closePage();
}

describe('what was typed into a new deal', () => {
  it('is all there after a reload, and gone when the deal is made', async () => {
    await fillIn();
    const { user, dialog } = await openDialog();
    expect(dialog.getByText('You sell to tanvir')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Send' }));
    await waitFor(() =>
      expect(bodies).toEqual([
        {
          ...{ price: 480, description: 'Ranna Ghor 24', deliveryDuration: 14, inspectionDays: 10 },
          ...{ buyerId: tanvir._id, sellerId: nusrat._id },
        },
      ]),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    closePage();
    const next = await openFields();
    expect(next.who).toHaveValue('');
    expect(next.description).toHaveValue('');
  });

  it('is for nobody else', async () => {
    await fillIn();
    signedInAs({ ...nusrat, _id: 'u-rafi', username: 'rafi' });
    const other = await openFields();
    expect(other.who).toHaveValue('');
    expect(other.description).toHaveValue('');
  });
});
