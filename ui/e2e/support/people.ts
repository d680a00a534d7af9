import { randomUUID } from 'node:crypto';
import { type APIRequestContext, type BrowserContext, expect, type Page } from '@playwright/test';

export const DEMO_PASSWORD = 'amanat-demo';
const ACCEPTED = 202;

/** A browser window with its own cookies and storage. */
export type Visitor = { context: BrowserContext; page: Page };

/** A signed-in user in their own browser. */
export type Person = Visitor & { name: string; id: string };

/** The user whose session the browser has. */
export async function idOf(request: APIRequestContext): Promise<string> {
  return ((await (await request.get('/api/auth/check')).json()) as { _id: string })._id;
}

/** Signs up without the form; the name is unlike any other. */
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

/** The code in the only mail to somebody that has one. */
export async function mailedCode(person: Pick<Person, 'context' | 'name'>): Promise<string> {
  const find = async () => (await lettersTo(person)).flatMap((subject) => /^Your code: (\d{4} \d{4})$/.exec(subject)?.[1] ?? []);
  await expect.poll(find).toHaveLength(1);
  return (await find())[0] ?? '';
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

/** Moves business time forward by so many hours. Sessions do not end by it. */
export async function hoursPass({ context }: Person, hours: number): Promise<void> {
  const answer = await context.request.post('/dev/clock', { data: { advance: `${hours}h` } });
  expect(answer.ok(), await answer.text()).toBe(true);
}
