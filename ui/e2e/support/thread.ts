import { conversation, write } from './chat';
import { test as base } from './test';

export { expect } from './test';

export const test = base.extend<{
  /** The id of a conversation of buyer and seller, with a “Hello” by the seller. */
  thread: string;
}>({
  thread: async ({ buyer, seller }, use) => {
    const id = await conversation(buyer, seller);
    await write(seller, id, 'Hello');
    await use(id);
  },
});
