import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AdminUser } from '@/api/contract';
import { aUser, recordOf } from '@/testing/admin';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { server } from '@/testing/server';
import { bareList, nadia, onPost, queues, refusal } from '../fixtures';

/** The server's users, which calls of the page change. */
function people(...users: AdminUser[]) {
  const searches: string[] = [];
  server.use(
    http.get('*/api/admin/users', ({ request }) => bareList(users, request)),
    http.get('*/api/admin/users/search', ({ request }) => {
      const query = new URL(request.url).searchParams.get('query') ?? '';
      searches.push(query);
      return bareList(
        users.filter(({ username }) => username.includes(query)),
        request,
      );
    }),
    http.get('*/api/admin/users/:id', ({ params }) => {
      const user = users.find(({ _id }) => _id === params.id);
      return user ? HttpResponse.json(recordOf(user)) : refusal(404, 'not_found', 'User not found')();
    }),
  );
  return { users, searches };
}

const drawerOf = async (name: string) => within(await screen.findByRole('dialog', { name }));

beforeEach(() => {
  queues();
});

describe('the list of users', () => {
  it('shows what each has, and who is disabled or an admin', async () => {
    people(
      aUser(),
      aUser({ _id: 'u-2', username: 'karim', disabledAt: '2026-11-02T04:00:00Z' }),
      aUser({ _id: nadia._id, username: nadia.username, isAdmin: true, inEscrow: 0 }),
    );
    renderAt('/admin/users');
    const rows = within(await screen.findByRole('table', { name: 'Users' })).getAllByRole('row');
    expect(rows[1]).toHaveTextContent('sabbir@example.com4 dealssince 1 Nov$212.40$100.50 held');
    expect(rows[2]).toHaveTextContent('disabled');
    expect(rows[3]).toHaveTextContent('admin');
  });

  it('searches from the second letter on, and shows all again when the field is empty', async () => {
    const { searches } = people(aUser(), aUser({ _id: 'u-2', username: 'karim' }));
    const { user, router } = renderAt('/admin/users');
    const field = await screen.findByRole('searchbox', { name: 'Username or email' });
    await user.type(field, 'k');
    await user.type(field, 'ar');
    await waitFor(() => expect(screen.queryByRole('link', { name: 'sabbir' })).toBeNull());
    expect(searches.filter((query) => query.length < 2)).toEqual([]);
    await waitFor(() => expect(router.state.location.search).toEqual({ search: 'kar' }));
    await user.clear(field);
    expect(await screen.findByRole('link', { name: 'sabbir' })).toBeVisible();
    expect(router.state.location.search).toEqual({});
    // A link to what was searched for before fills the field in.
    await act(() => router.navigate({ to: '/admin/users', search: { search: 'kar' } }));
    await waitFor(() => expect(field).toHaveValue('kar'));
    await user.clear(field);
    await user.type(field, 'nobody');
    expect(await screen.findByText('No users found.')).toBeVisible();
  });

  it('says so when it cannot be loaded, and is asked for again', async () => {
    server.use(http.get('*/api/admin/users', refusal(409, 'conflict', '')));
    const { user } = renderAt('/admin/users');
    expect(await screen.findByText('Failed to fetch users')).toBeVisible();
    people(aUser());
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('link', { name: 'sabbir' })).toBeVisible();
  });
});

describe('one user', () => {
  it('has facts, money and deals, and the ways to the rest', async () => {
    people(aUser());
    renderAt('/admin/users?review=u-sabbir');
    const drawer = await drawerOf('sabbir');
    expect(await drawer.findByText('sabbir@example.com, verified')).toBeVisible();
    const value = async (name: string) => (await drawer.findByText(name)).nextSibling?.textContent;
    expect(await value('Pending withdrawals')).toBe('$40.00');
    expect(await value('Open')).toBe('1');
    expect(await value('Sessions')).toBe('3');
    expect(drawer.getByRole('link', { name: 'Public profile' })).toHaveAttribute('href', '/profile/sabbir');
    expect(drawer.getByRole('link', { name: 'Messages' })).toHaveAttribute('href', '/admin/chat?one=u-sabbir');
    expect(drawer.getByRole('link', { name: 'Audit log' })).toHaveAttribute('href', '/admin/audit?subject=user%3Au-sabbir');
  });

  it('opens from a link although the list does not show him', async () => {
    people(aUser());
    server.use(http.get('*/api/admin/users', ({ request }) => bareList([], request)));
    renderAt('/admin/users?review=u-sabbir');
    expect((await drawerOf('sabbir')).getByText('$212.40')).toBeVisible();
  });

  it('who does not exist is said to be unknown', async () => {
    people();
    renderAt('/admin/users?review=u-nobody');
    expect(await (await drawerOf('User')).findByText('User not found')).toBeVisible();
  });

  it('who has closed the account is not offered to be enabled, nor a profile', async () => {
    people(aUser({ username: 'deleted-4f7k2m9q', closed: true, disabledAt: '2026-11-22T04:00:00Z' }));
    renderAt('/admin/users?review=u-sabbir');
    const drawer = await drawerOf('deleted-4f7k2m9q');
    expect(await drawer.findByText('This user has closed the account. It cannot be enabled again.')).toBeVisible();
    expect(drawer.queryByRole('button', { name: 'Enable' })).toBeNull();
    expect(drawer.queryByRole('link', { name: 'Public profile' })).toBeNull();
    expect(drawer.getByRole('link', { name: 'Audit log' })).toBeVisible();
  });

  it('cannot be oneself', async () => {
    people(aUser({ _id: nadia._id, username: nadia.username, isAdmin: true }));
    renderAt(`/admin/users?review=${nadia._id}`);
    const drawer = await drawerOf('nadia');
    expect(drawer.getByText('This is your own account. Another admin has to disable it.')).toBeVisible();
    expect(drawer.queryByRole('button', { name: 'Disable' })).toBeNull();
  });
});

describe('disabling', () => {
  it('takes a reason and the password, says what became of it, and can be undone', async () => {
    const { users } = people(aUser());
    const disabled = aUser({ disabledAt: '2026-11-22T04:00:00Z' });
    const done = () => {
      users[0] = disabled;
      return HttpResponse.json({ message: 'User disabled', user: disabled });
    };
    const calls = onPost(
      '/admin/users/u-sabbir/disable',
      refusal(403, 'password_required', 'Please enter your password again.'),
      done,
    );
    onPost('/auth/confirm-password', () => HttpResponse.json({ message: '' }));
    const { user } = renderAt('/admin/users?review=u-sabbir');
    const drawer = await drawerOf('sabbir');
    await user.click(drawer.getByRole('button', { name: 'Disable' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Disable sabbir’s account?' }));
    await user.click(question.getByRole('button', { name: 'Disable' }));
    expect(question.getByRole('status')).toHaveTextContent('Write the reason: it goes into the audit log.');
    expect(question.getByLabelText('Reason')).toHaveFocus();
    await user.type(question.getByLabelText('Reason'), ' Sells what he does not have. ');
    await user.click(question.getByRole('button', { name: 'Disable' }));
    await user.type(await screen.findByLabelText('Password'), 'amanat-demo{Enter}');
    expect(await drawer.findByText('sabbir is logged out everywhere and cannot log in.')).toBeVisible();
    expect(calls.map(({ body }) => body)).toEqual(Array(2).fill({ reason: 'Sells what he does not have.' }));
    expect(notices.map(({ text }) => text)).toContain('User disabled');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());

    onPost('/admin/users/u-sabbir/enable', () => {
      users[0] = aUser();
      return HttpResponse.json({ message: 'User enabled', user: aUser() });
    });
    await user.click(await drawer.findByRole('button', { name: 'Enable' }));
    const again = within(await screen.findByRole('alertdialog', { name: 'Enable sabbir’s account?' }));
    await user.click(again.getByRole('button', { name: 'Enable' }));
    expect(await drawer.findByText('sabbir can log in again.')).toBeVisible();
    expect(await drawer.findByRole('button', { name: 'Disable' })).toBeVisible();
  });

  it('that fails keeps the reason', async () => {
    people(aUser());
    onPost('/admin/users/u-sabbir/disable', refusal(403, 'forbidden', 'You cannot disable your own account.'));
    const { user } = renderAt('/admin/users?review=u-sabbir');
    await user.click((await drawerOf('sabbir')).getByRole('button', { name: 'Disable' }));
    const question = within(await screen.findByRole('alertdialog'));
    await user.type(question.getByLabelText('Reason'), 'Fraud');
    await user.click(question.getByRole('button', { name: 'Disable' }));
    await waitFor(() => expect(notices.map(({ text }) => text)).toEqual(['You cannot disable your own account.']));
    expect(question.getByLabelText('Reason')).toHaveValue('Fraud');
  });
});
