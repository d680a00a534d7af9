import { conversation, write } from './chat';
import { test as base } from './test';

export { expect } from './test';

export const test = base.extend<{
  /** The id of a conversation of buyer and seller, in which the seller has said “Hello”. */
  thread: string;
}>({
  thread: async ({ buyer, seller }, use) => {
    const id = await conversation(buyer, seller);
    await write(seller, id, 'Hello');
    await use(id);
  },
});
