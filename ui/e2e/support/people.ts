import { randomUUID } from 'node:crypto';
import { type APIRequestContext, type BrowserContext, expect, type Page } from '@playwright/test';
import { provoke, REFUSED } from './faults';

export const DEMO_PASSWORD = 'amanat-demo';
const ACCEPTED = 202;

/** A browser window with its own cookies and storage. */
export type Visitor = { context: BrowserContext; page: Page };

/** A signed-in user in their own browser. */
export type Person = Visitor & { name: string; id: string };

/** The user of the browser's session. */
export async function idOf(request: APIRequestContext): Promise<string> {
  return ((await (await request.get('/api/auth/check')).json()) as { _id: string })._id;
}

/** Signs up without the form, under a unique name. */
export async function signUp(request: APIRequestContext, prefix: string): Promise<string> {
  const username = `${prefix}-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
  const answer = await request.post('/api/auth/signup', {
    data: { username, email: `${username}@example.com`, password: DEMO_PASSWORD, referredBy: null },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return username;
}

/** Signs in without the form. */
export async function signIn(request: APIRequestContext, username: string): Promise<void> {
  const answer = await request.post('/api/auth/login', { data: { username, password: DEMO_PASSWORD } });
  expect(answer.status(), await answer.text()).toBe(200);
}

export async function logOut({ context, page }: Visitor): Promise<void> {
  // The link under the closing menu may be prefetched for a session that has just ended.
  provoke(context, REFUSED);
  await page.getByRole('button', { name: 'Profile menu' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
}

/**
 * Calls the API as the person. A call that moves money is repeated with its key until the money has
 * moved.
 */
export async function post<A = { _id: string }>(person: Pick<Person, 'context'>, path: string, data: object = {}): Promise<A> {
  const headers = { 'Idempotency-Key': randomUUID() };
  for (;;) {
    const answer = await person.context.request.post(`/api${path}`, { data, headers });
    expect(answer.ok(), await answer.text()).toBe(true);
    // The server itself waits before it answers 202.
    if (answer.status() !== ACCEPTED) return (await answer.json()) as A;
  }
}

/** Adds money by a deposit that the admin approves. */
export async function fund(boss: Person, person: Person, amount: number): Promise<void> {
  const transactionId = randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase();
  const report = { amount, transactionId, paymentMethod: 'Bkash' };
  const { deposit } = await post<{ deposit: { _id: string; convertedAmount: number } }>(person, '/auth/deposit', report);
  const approval = { amount, userId: person.id, receivedTaka: deposit.convertedAmount };
  await post(boss, `/admin/deposit/approve/${deposit._id}`, approval);
}

/** The person's balance, as "470.40". */
export async function wallet({ context }: Pick<Person, 'context'>): Promise<string> {
  return ((await (await context.request.get('/api/wallet')).json()) as { wallet: number }).wallet.toFixed(2);
}

/** The subjects of the person's mails. */
export async function lettersTo({ context, name }: Pick<Person, 'context' | 'name'>): Promise<string[]> {
  const answer = await context.request.get('/dev/mail?format=json');
  const letters = (await answer.json()) as { to: string; subject: string }[];
  return letters.filter(({ to }) => to.startsWith(`${name}@`)).map(({ subject }) => subject);
}

/** The code in the person's only mail that has one. */
export async function mailedCode(person: Pick<Person, 'context' | 'name'>): Promise<string> {
  const find = async () => (await lettersTo(person)).flatMap((subject) => /^Your code: (\d{4} \d{4})$/.exec(subject)?.[1] ?? []);
  await expect.poll(find).toHaveLength(1);
  return (await find())[0] ?? '';
}

/** The link to a page in the person's only mail that has one. */
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

/**
 * Verifies a new user's address by the mailed link, since notifications of money go to verified
 * ones only.
 */
export async function verifyAddress(person: Pick<Person, 'context' | 'name'>): Promise<void> {
  await post(person, '/auth/verify-email', { token: await mailedToken(person, '/verify-email') });
}

/** Moves business time forward. Sessions do not expire by it. */
export async function hoursPass({ context }: Person, hours: number): Promise<void> {
  const answer = await context.request.post('/dev/clock', { data: { advance: `${hours}h` } });
  expect(answer.ok(), await answer.text()).toBe(true);
}
