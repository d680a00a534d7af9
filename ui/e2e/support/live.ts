import type { Page, WebSocket } from 'playwright-core';

type Frame = { type: string; seq?: number };

/** Listens to what the page's socket is told, from the next one on. */
export function socketOf(page: Page) {
  return {
    /** Resolves when the next socket of the page has been greeted. */
    joined: async () => {
      const socket = await page.waitForEvent('websocket');
      await heard(socket, 'hello');
    },
  };
}

async function heard(socket: WebSocket, type: string): Promise<void> {
  await socket.waitForEvent('framereceived', ({ payload }) => (JSON.parse(String(payload)) as Frame).type === type);
}
