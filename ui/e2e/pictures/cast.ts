import { type BrowserContext, expect } from '@playwright/test';
import { paid } from '../support/deals';
import { DEMO_PASSWORD, fund, idOf, type Person, post, signIn } from '../support/people';
import type { Visit } from '../support/test';

/** The viewer of a screen: demo users, the parties of an added deal, and a new user. */
export type Who = 'visitor' | 'newcomer' | 'buyer' | 'seller' | 'salma' | 'tanvir' | 'admin';

/** User names that differ from the role. */
const NAMES: Partial<Record<Who, string>> = { newcomer: 'rahim' };
export const nameOf = (who: Who) => NAMES[who] ?? who;

/** Ids of what the pictures show. */
export type Demo = {
  /** The demo's deals between buyer and seller, one per status. */
  deals: Record<string, string>;
  /** Deals of salma (buyer) and tanvir: one without a review, one with a request to cancel. */
  unreviewed: string;
  requested: string;
  /** A post of the seller, and one without a picture. */
  post: string;
  bare: string;
  /** The codes of a seller's link, of a public proof and of a receipt. */
  invite: string;
  receipt: string;
  proof: string;
  deposit: string;
  /** Of buyer and seller. */
  conversation: string;
  /** Sends a message from salma to tanvir. */
  say: (text: string) => Promise<unknown>;
};

type Deal = { _id: string; status: string; cancellationRequested: boolean };
type Post = { _id: string; title: string; image: string };
type Conversation = { _id: string; participants: { username: string }[] };

const list = async <T>(context: BrowserContext, path: string): Promise<T[]> =>
  (await (await context.request.get(`/api${path}`)).json()) as T[];

/** Signs up, or in if the name exists from an earlier run. */
async function member(visit: Visit, who: Who): Promise<Person & { isNew: boolean }> {
  const visitor = await visit();
  const name = nameOf(who);
  const answer = await visitor.context.request.post('/api/auth/signup', {
    data: { username: name, email: `${name}@example.com`, password: DEMO_PASSWORD, referredBy: null },
  });
  if (!answer.ok()) await signIn(visitor.context.request, name);
  return { ...visitor, name, id: await idOf(visitor.context.request), isNew: answer.ok() };
}

/**
 * Adds what the demo lacks: a completed deal without a review, a request to cancel, and a new user.
 */
async function supplement(visit: Visit, admin: Person): Promise<Pick<Demo, 'unreviewed' | 'requested' | 'say'>> {
  const [salma, tanvir] = [await member(visit, 'salma'), await member(visit, 'tanvir')];
  await member(visit, 'newcomer');
  if (salma.isNew) {
    await fund(admin, salma, 700);
    const done = await paid(salma, tanvir, { price: 480, description: 'Cooking channel, 41,200 subscribers', check: 10 });
    await post(tanvir, `/deals/deliver/${done.id}`);
    await post(salma, `/deals/complete/${done.id}`);
    const asked = await paid(salma, tanvir, { price: 65, description: 'Logo for a tea house. Three drafts, then one in full.' });
    await post(salma, `/deals/cancel/${asked.id}`);
  }
  const deals = await list<Deal>(salma.context, '/deals/my-deals');
  const found = (fits: (deal: Deal) => boolean) => {
    const deal = deals.find(fits);
    if (!deal) throw new Error('a deal for the pictures is missing');
    return deal._id;
  };
  return {
    unreviewed: found(({ status }) => status === 'Completed'),
    requested: found(({ cancellationRequested }) => cancellationRequested),
    say: (text) => post(salma, '/messages/send-or-start', { receiverId: tanvir.id, text }),
  };
}

async function linksOf(visit: Visit): Promise<Pick<Demo, 'invite' | 'proof'>> {
  const { context } = await visit();
  await signIn(context.request, 'seller');
  const [invite] = await list<{ code: string }>(context, '/invites');
  const proofs = await Promise.all(
    (await list<Deal>(context, '/deals/my-deals')).map(async ({ _id }) => {
      const answer = await context.request.get(`/api/deals/${_id}/proof`);
      return ((await answer.json()) as { code: string | null }).code;
    }),
  );
  await context.close();
  return { invite: invite?.code ?? '', proof: proofs.find((code) => code !== null) ?? '' };
}

/** Makes sure that everything in the pictures exists. */
export async function prepare(visit: Visit, admin: Person): Promise<Demo> {
  const { context } = await visit();
  await signIn(context.request, 'buyer');
  const deals = await list<Deal>(context, '/deals/my-deals');
  const history = (await (await context.request.get('/api/auth/deposit/history')).json()) as { deposits: { _id: string }[] };
  const conversations = await list<Conversation>(context, '/messages/conversations');
  const posts = [...(await list<Post>(context, '/posts/user/seller')), ...(await list<Post>(context, '/posts/user/rakib'))];
  const ofSeller = conversations.find(({ participants }) => participants.some(({ username }) => username === 'seller'));
  const pictured = posts.find(({ title }) => title.startsWith('YouTube'));
  const bare = posts.find(({ image }) => image === '');
  expect([ofSeller, pictured, bare], 'the demo').not.toContain(undefined);
  const completed = deals.find(({ status }) => status === 'Completed')?._id;
  const receipt = await context.request.get(`/api/deals/${completed}/receipt`);
  const demo = {
    deals: Object.fromEntries(deals.map(({ _id, status }) => [status, _id])),
    receipt: ((await receipt.json()) as { code: string }).code,
    deposit: history.deposits[0]?._id ?? '',
    conversation: ofSeller?._id ?? '',
    post: pictured?._id ?? '',
    bare: bare?._id ?? '',
    ...(await linksOf(visit)),
    ...(await supplement(visit, admin)),
  };
  await context.close();
  return demo;
}
