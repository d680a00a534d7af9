import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, nusratsAccount, server, signedInAs } from '@/testing/server';

let pendingEmail: string | null;
let asked: unknown[];

const answers = (answer: () => Response) =>
  server.use(
    http.post('*/api/auth/email', async ({ request }) => {
      asked.push(await request.json());
      return answer();
    }),
  );

const sent = () => {
  pendingEmail = 'new@example.com';
  return HttpResponse.json({ message: 'Open the link that we have sent to the new address.', outcome: 'email_link_sent' });
};

async function open(user = nusrat) {
  signedInAs(user);
  const app = renderAt('/security');
  const section = within(await screen.findByRole('region', { name: 'Email' }));
  return { ...app, section };
}

beforeEach(() => {
  pendingEmail = null;
  asked = [];
  server.use(
    http.get('*/api/auth/me', () => HttpResponse.json({ ...nusratsAccount, pendingEmail })),
    http.get('*/api/auth/sessions', () => HttpResponse.json([])),
    http.get('*/api/auth/second-factor', () =>
      HttpResponse.json({ totp: false, passkeys: [], backupCodesLeft: 0, required: false }),
    ),
  );
});

const verify = () => screen.getAllByRole('status').find(({ textContent }) => textContent.startsWith('Please verify'));

describe('the email of the account', () => {
  it('that is wrong is corrected from the banner, which then names the new one', async () => {
    answers(sent);
    const { user, section } = await open({ ...nusrat, isVerified: false });
    await user.click(await screen.findByRole('link', { name: 'Wrong address?' }));
    await waitFor(() => expect(section.getByLabelText('New email')).toHaveFocus());
    expect(verify()).toHaveTextContent('Please verify your email.nusrat@example.com');
    await user.type(section.getByLabelText('New email'), 'new@example.com');
    await user.click(section.getByRole('button', { name: 'Send link' }));
    await waitFor(() => expect(verify()).toHaveTextContent('Please verify your email.new@example.com'));
    expect(screen.getByRole('link', { name: 'Send again' })).toHaveAttribute('href', '/security#email');
  });

  it('is changed with a link to the new address, which is named until it is opened', async () => {
    answers(sent);
    const { user, section } = await open();
    expect(section.getByText('nusrat@example.com')).toBeVisible();
    await user.click(section.getByRole('button', { name: 'Change email' }));
    await user.click(section.getByRole('button', { name: 'Send link' }));
    expect(section.getByText('Email is required.')).toBeVisible();
    await user.type(section.getByLabelText('New email'), ' new@example.com');
    await user.click(section.getByRole('button', { name: 'Send link' }));
    expect(await section.findByText(/^Open the link that we have sent to new@example.com/)).toBeVisible();
    await waitFor(() => expect(section.queryByLabelText('New email')).not.toBeInTheDocument());
    expect(asked).toEqual([{ email: 'new@example.com' }]);
    expect(notices.map(({ text }) => text)).toEqual(['Open the link that we have sent to the new address.']);
    await user.click(section.getByRole('button', { name: 'Send another link' }));
    await waitFor(() => expect(asked).toHaveLength(2));
  });

  it('says at the field when another account has the address, and keeps what was typed', async () => {
    const message = 'Email is already registered.';
    answers(() => HttpResponse.json({ message, code: 'duplicate', fields: { email: message } }, { status: 409 }));
    const { user, section } = await open();
    await user.click(section.getByRole('button', { name: 'Change email' }));
    await user.type(section.getByLabelText('New email'), 'tanvir@example.com');
    await user.click(section.getByRole('button', { name: 'Send link' }));
    expect(await section.findByText(message)).toBeVisible();
    expect(section.getByLabelText('New email')).toHaveValue('tanvir@example.com');
  });

  it('asks for the password first where the server wants it, and does nothing if that is refused', async () => {
    answers(() =>
      HttpResponse.json({ message: 'Please enter your password again.', code: 'password_required' }, { status: 403 }),
    );
    const { user, section } = await open();
    await user.click(section.getByRole('button', { name: 'Change email' }));
    await user.type(section.getByLabelText('New email'), 'new@example.com');
    await user.click(section.getByRole('button', { name: 'Send link' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(section.getByLabelText('New email')).toHaveValue('new@example.com');
    expect(section.getByRole('alert')).toBeEmptyDOMElement();
    expect(asked).toHaveLength(1);
  });

  it('stays as it is if the user takes the change back', async () => {
    pendingEmail = 'new@example.com';
    server.use(
      http.delete('*/api/auth/email', () => {
        pendingEmail = null;
        return HttpResponse.json({ message: 'Your email address stays as it is.', outcome: 'email_kept' });
      }),
    );
    const { user, section } = await open();
    await user.click(await section.findByRole('button', { name: 'Keep my email' }));
    expect(await screen.findByRole('button', { name: 'Change email' })).toBeVisible();
    await expect.poll(() => section.queryByText(/^Open the link/)).toBeNull();
    expect(notices.map(({ text }) => text)).toEqual(['Your email address stays as it is.']);
  });
});
