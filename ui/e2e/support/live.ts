import type { Page, WebSocketRoute } from '@playwright/test';
import { breakOff } from './network';
import type { Person } from './people';

/** The first frame of a connection; events follow it. */
const isHello = (text: string | Buffer) => (JSON.parse(String(text)) as { type: string }).type === 'hello';

/** Loads a page and waits until it gets events. */
export async function liveAt({ page }: Person, path: string): Promise<void> {
  const connected = page.waitForEvent('websocket');
  await Promise.all([
    page.goto(path),
    connected.then((socket) => socket.waitForEvent('framereceived', ({ payload }) => isHello(payload))),
  ]);
}

/** A proxy between page and server. Once cut, it breaks all connections until it is mended. */
export async function lineOf(page: Page) {
  const open = new Set<WebSocketRoute>();
  let broken = false;
  let greeted: () => void = () => undefined;
  await page.routeWebSocket('**/api/ws**', (socket) => {
    if (broken) {
      void socket.close({ code: 4002 });
      return;
    }
    open.add(socket);
    const server = socket.connectToServer();
    server.onMessage((text) => {
      socket.send(text);
      if (isHello(text)) greeted();
    });
  });
  return {
    /** Loads a page and waits until it gets events. */
    liveAt: async (path: string) => {
      const hello = new Promise<void>((resolve) => {
        greeted = resolve;
      });
      await Promise.all([page.goto(path), hello]);
    },
    cut: async () => {
      broken = true;
      await Promise.all([...open].map((socket) => socket.close({ code: 4002 })));
      open.clear();
    },
    mend: () => {
      broken = false;
    },
  };
}

/**
 * The bell's calls fail, so its dot comes from the socket. It polls every 15 seconds all the same.
 */
export const leaveUnasked = (page: Page): Promise<void> => breakOff(page, '**/api/notifications/unread-status');
