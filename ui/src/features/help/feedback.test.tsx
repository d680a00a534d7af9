import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { closePage } from '@/testing/deals';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

const said = () => notices.map(({ kind, text }) => [kind, text]);
let bodies: unknown[];
let sentKeys: (string | null)[];

function answers(path: string, ...answer: (() => Response)[]) {
  server.use(
    http.post(`*/api${path}`, async ({ request }) => {
      bodies.push(await request.json());
      sentKeys.push(request.headers.get('Idempotency-Key'));
      return (answer.length > 1 ? answer.shift() : answer[0])?.();
    }),
  );
}

const taken = (message: string) => () => HttpResponse.json({ message }, { status: 201 });
const lost = () => HttpResponse.error();

beforeEach(() => {
  sessionStorage.clear();
  bodies = [];
  sentKeys = [];
});

async function open(path: string, button: string) {
  const app = renderAt(path);
  await screen.findByRole('button', { name: button });
  const field = (name: string | RegExp) => screen.getByLabelText(name);
  return { ...app, field, submit: () => app.user.click(screen.getByRole('button', { name: button })) };
}

describe('help', () => {
  it('asks what it is about, and leads a member to the form for it', async () => {
    signedInAs(nusrat);
    const { user } = renderAt('/support');
    expect(await screen.findByRole('heading', { level: 1, name: 'Help' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Your reports' })).toHaveAttribute('href', '/reports');
    const answer = (name: string) =>
      within(screen.getByRole('navigation', { name: 'What is it about?' })).getByRole('link', { name });
    expect(answer('A deal')).toHaveAttribute('aria-current', 'page');
    await user.click(answer('The site'));
    expect(await screen.findByRole('button', { name: 'Submit report' })).toBeVisible();
    await user.click(answer('Something else'));
    expect(await screen.findByRole('button', { name: 'Send message' })).toBeVisible();
    expect(answer('Something else')).toHaveAttribute('aria-current', 'page');
  });
});

describe('the contact form', () => {
  const SENT = 'Thank you! Your message has been sent.';
  const contact = () => open('/contactus', 'Send message');

  it('is linked at the foot of the page', async () => {
    renderAt('/login');
    expect(await screen.findByRole('link', { name: 'Contact us' })).toHaveAttribute('href', '/contactus');
    expect(screen.getByRole('link', { name: 'Report a bug' })).toHaveAttribute('href', '/reportabug');
  });

  it('needs a name, an address and a message', async () => {
    const { field, submit, user } = await contact();
    const step = async (expected: string) => {
      notices.length = 0;
      await submit();
      await waitFor(() => expect(said()).toEqual([['error', expected]]));
    };
    await step('Name is required.');
    await user.type(field('Name'), 'Anika');
    await step('Email is required.');
    await user.type(field('Email'), 'anika');
    await step('Invalid email');
    await user.type(field('Email'), '@example.com');
    await step('Message is required.');
    expect(field('Message')).toHaveAccessibleDescription('Message is required.');
    expect(bodies).toEqual([]);
  });

  it('is sent, thanks, and is empty for the next one', async () => {
    answers('/contact', taken(SENT));
    const { field, submit, user } = await contact();
    await user.type(field('Name'), 'Anika');
    await user.type(field('Email'), 'anika@example.com');
    await user.type(field('Message'), ' How long does it take? ');
    await submit();
    expect(await screen.findByRole('heading', { name: SENT })).toHaveFocus();
    expect(said()).toEqual([['success', SENT]]);
    expect(bodies).toEqual([{ name: 'Anika', email: 'anika@example.com', message: 'How long does it take?' }]);
    await user.click(screen.getByRole('button', { name: 'Write another one' }));
    expect(field('Message')).toHaveValue('');
    closePage();
    expect((await contact()).field('Message')).toHaveValue('');
  });

  it('knows who is signed in', async () => {
    signedInAs(nusrat);
    const { field } = await contact();
    expect(field('Name')).toHaveValue('nusrat');
    expect(field('Email')).toHaveValue('nusrat@example.com');
    expect(JSON.stringify(sessionStorage)).not.toContain('nusrat@example.com');
  });

  it('of a visitor does not know who was signed in before him', async () => {
    signedInAs(nusrat);
    const { field, user } = await contact();
    await user.type(field('Message'), 'Mine');
    closePage();
    server.use(http.get('*/api/auth/check', () => HttpResponse.json({ code: 'unauthenticated', message: '' }, { status: 401 })));
    const visitor = await contact();
    for (const name of ['Name', 'Email', 'Message']) expect(visitor.field(name)).toHaveValue('');
  });

  it('is the same one while the same is sent again, until it is answered', async () => {
    answers('/contact', lost, lost, taken(SENT));
    const { field, submit, user } = await contact();
    await user.type(field('Name'), 'Anika');
    await user.type(field('Email'), 'anika@example.com');
    await user.type(field('Message'), 'How long?');
    for (const times of [1, 2]) {
      await submit();
      await waitFor(() => expect(said()).toHaveLength(times));
    }
    await user.type(field('Message'), ' Really?');
    await submit();
    await user.click(await screen.findByRole('button', { name: 'Write another one' }));
    expect(sentKeys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(sentKeys[1]).toBe(sentKeys[0]);
    expect(sentKeys[2]).not.toBe(sentKeys[0]);
  });

  it('keeps what was typed through a lost answer and a reload', async () => {
    answers('/contact', lost);
    const { field, submit, user } = await contact();
    await user.type(field('Name'), 'Anika');
    await user.type(field('Email'), 'anika@example.com');
    await user.type(field('Message'), 'How long?');
    await submit();
    await waitFor(() => expect(said()).toEqual([['error', 'Something went wrong']]));
    expect(screen.getByRole('alert')).toHaveTextContent('Something went wrong');
    expect(field('Message')).toHaveValue('How long?');
    closePage();
    expect((await contact()).field('Message')).toHaveValue('How long?');
  });
});

describe('the bug report', () => {
  const SENT = 'Thank you! Your report has been submitted.';
  const bug = () => open('/reportabug', 'Submit report');

  it('needs a subject and a description', async () => {
    const { field, submit, user } = await bug();
    await submit();
    await waitFor(() => expect(said()).toEqual([['error', 'Subject is required.']]));
    await user.type(field('Subject'), 'No picture');
    notices.length = 0;
    await submit();
    await waitFor(() => expect(said()).toEqual([['error', 'Description is required.']]));
    expect(bodies).toEqual([]);
  });

  it('of a visitor carries the name and the address that he leaves', async () => {
    answers('/auth/bug-report', taken(SENT));
    const { field, submit, user } = await bug();
    await user.type(field('Subject'), 'No picture');
    await user.type(field('Description'), 'It stays white.');
    await user.type(field(/^Email/), 'anika@example.com');
    await submit();
    expect(await screen.findByRole('heading', { name: SENT })).toBeVisible();
    expect(bodies).toEqual([{ name: '', email: 'anika@example.com', subject: 'No picture', description: 'It stays white.' }]);
  });

  it('of a user carries his own', async () => {
    signedInAs(nusrat);
    answers('/auth/bug-report', taken(SENT));
    const { field, submit, user } = await bug();
    expect(screen.queryByLabelText(/^Email/)).toBeNull();
    await user.type(field('Subject'), 'No picture');
    await user.type(field('Description'), 'It stays white.');
    await submit();
    await waitFor(() => expect(said()).toEqual([['success', SENT]]));
    expect(bodies).toEqual([
      { name: 'nusrat', email: 'nusrat@example.com', subject: 'No picture', description: 'It stays white.' },
    ]);
  });

  it('that failed says so and can be sent again', async () => {
    answers('/auth/bug-report', lost, taken(SENT));
    const { field, submit, user } = await bug();
    await user.type(field('Subject'), 'No picture');
    await user.type(field('Description'), 'It stays white.');
    await submit();
    await waitFor(() => expect(said()).toEqual([['error', 'Failed to submit bug report']]));
    expect(field('Description')).toHaveValue('It stays white.');
    await submit();
    await waitFor(() => expect(said().at(-1)).toEqual(['success', SENT]));
    expect(sentKeys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(sentKeys[1]).toBe(sentKeys[0]);
  });

  it('shows at its field what the server refuses', async () => {
    const text = 'Subject may have up to 200 characters.';
    answers('/auth/bug-report', () =>
      HttpResponse.json({ message: text, code: 'invalid', fields: { subject: text } }, { status: 400 }),
    );
    const { field, submit, user } = await bug();
    await user.type(field('Subject'), 'Long');
    await user.type(field('Description'), 'It stays white.');
    await submit();
    await waitFor(() => expect(field('Subject')).toHaveAccessibleDescription(text));
  });
});
