import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Look, signIn, signUp, visit } from './browser';

const ACCEPTED = 202;

/** Somebody with a browser of his own. */
export type Person = { context: BrowserContext; page: Page; name: string; id: string };

/** Whose session the browser has. */
export async function idOf(context: BrowserContext): Promise<string> {
  return ((await (await context.request.get('/api/auth/check')).json()) as { _id: string })._id;
}

/** Somebody new, who has signed up. */
export async function newcomer(browser: Browser, prefix: string, look: Look = {}): Promise<Person> {
  const visitor = await visit(browser, look);
  const name = await signUp(visitor.context, prefix);
  return { ...visitor, name, id: await idOf(visitor.context) };
}

/** An admin of the demo. */
export async function admin(browser: Browser, look: Look = {}, name: 'admin' | 'sadia' = 'admin'): Promise<Person> {
  const visitor = await visit(browser, look);
  await signIn(visitor.context, name);
  return { ...visitor, name, id: await idOf(visitor.context) };
}

/** Calls the API as the person. A call that moves money answers when it has moved: the same key is asked again until then. */
export async function post<A = { _id: string }>(person: Pick<Person, 'context'>, path: string, data: object = {}): Promise<A> {
  const headers = { 'Idempotency-Key': randomUUID() };
  for (;;) {
    const answer = await person.context.request.post(`/api${path}`, { data, headers });
    expect(answer.ok(), await answer.text()).toBe(true);
    // "On its way" is said only after the server has waited for the end itself.
    if (answer.status() !== ACCEPTED) return (await answer.json()) as A;
  }
}

/** Pays money in by way of a deposit that the admin approves. */
export async function fund(boss: Person, person: Person, amount: number): Promise<void> {
  const transactionId = randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase();
  const report = { amount, transactionId, paymentMethod: 'Bkash' };
  const { deposit } = await post<{ deposit: { _id: string } }>(person, '/auth/deposit', report);
  await post(boss, `/admin/deposit/approve/${deposit._id}`, { amount, userId: person.id });
}

/** What the person has, as "470.40". */
export async function wallet({ context }: Pick<Person, 'context'>): Promise<string> {
  return ((await (await context.request.get('/api/wallet')).json()) as { wallet: number }).wallet.toFixed(2);
}

/** The subjects of the letters to the person. */
export async function lettersTo({ context, name }: Pick<Person, 'context' | 'name'>): Promise<string[]> {
  const answer = await context.request.get('/dev/mail?format=json');
  const letters = (await answer.json()) as { to: string; subject: string }[];
  return letters.filter(({ to }) => to.startsWith(`${name}@`)).map(({ subject }) => subject);
}

/** The link to a page in the only mail to somebody that has one, as its reader would open it. */
export async function mailedLink({ context, name }: Pick<Person, 'context' | 'name'>, path: string): Promise<string> {
  const find = async () => {
    const answer = await context.request.get('/dev/mail?format=json');
    const mails = (await answer.json()) as unknown[];
    const link = new RegExp(`${path}#token=[\\w-]+`);
    return mails
      .map((mail) => JSON.stringify(mail))
      .filter((mail) => mail.includes(`${name}@example.com`))
      .flatMap((mail) => link.exec(mail)?.[0] ?? []);
  };
  await expect.poll(find).toHaveLength(1);
  return (await find())[0] ?? '';
}

const mailedToken = async (person: Pick<Person, 'context' | 'name'>, path: string) =>
  (await mailedLink(person, path)).split('token=')[1];

/** Verifies the address of somebody who has just signed up, as the mailed link does: notices of money and links go to no other. */
export async function verifyAddress(person: Pick<Person, 'context' | 'name'>): Promise<void> {
  await post(person, '/auth/verify-email', { token: await mailedToken(person, '/verify-email') });
}

/** Confirms the person's withdrawal, which a new number holds, with the mailed link. */
export async function confirmWithdrawal(person: Pick<Person, 'context' | 'name'>): Promise<void> {
  await post(person, '/auth/confirm-withdrawal', { token: await mailedToken(person, '/confirm-withdrawal') });
}

/** Moves business time forward by so many hours. Sessions do not end by it. */
export async function hoursPass({ context }: Person, hours: number): Promise<void> {
  const answer = await context.request.post('/dev/clock', { data: { advance: `${hours}h` } });
  expect(answer.ok(), await answer.text()).toBe(true);
}
