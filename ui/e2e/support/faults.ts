import type { BrowserContext, ConsoleMessage } from 'playwright-core';
import { afterEach, expect } from 'vitest';

// Every page of every browser is listened to, wherever it was opened: what it complains of fails the test during which it did so. This file
// is a setup file of the end-to-end tests, so no test has to remember it.

type Watch = { faults: string[]; provoked: RegExp[] };

const watches = new Map<BrowserContext, Watch>();

/** The API refuses what is wrong, sockets without a session among it, and tests do much that is; anything else that is missing is a fault. */
function isRefusal(message: ConsoleMessage): boolean {
  if (/^WebSocket connection to .* HTTP Authentication failed/.test(message.text())) return true;
  return /status of 4\d\d/.test(message.text()) && /^[^/]+\/\/[^/]+\/api\//.test(message.location().url);
}

/** Only tests take the network away (`setOffline`) and break calls off (`route.abort`). */
const isCut = (message: ConsoleMessage): boolean =>
  /net::ERR_(?:INTERNET_DISCONNECTED|FAILED|CONNECTION_RESET)/.test(message.text());

/** Listens to everything that this browser opens. What it returns fills with the faults of the test that runs. */
export async function watch(context: BrowserContext): Promise<string[]> {
  const { faults, provoked }: Watch = { faults: [], provoked: [] };
  watches.set(context, { faults, provoked });
  const note = (where: string | undefined, text: string) => {
    if (!provoked.some((pattern) => pattern.test(text))) faults.push(`${where ?? 'a closed page'}: ${text}`);
  };
  // Exceptions, and rejections that nobody handled.
  context.on('weberror', (fault) => note(fault.page()?.url(), fault.error().message));
  context.on('console', (message) => {
    if (message.type() === 'error' && !isRefusal(message) && !isCut(message)) note(message.page()?.url(), message.text());
  });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`The policy of the page refused ${blockedURI} (${violatedDirective})`);
    });
  });
  return faults;
}

/** This browser is about to complain because the test makes it: complaints of this form are no faults. */
export function provoke(context: BrowserContext, ...forms: RegExp[]): void {
  watches.get(context)?.provoked.push(...forms);
}

/** What a browser says of calls that the test answers with a failure of the server, and React of a page that cannot do without one. */
export const BROKEN_CALLS = [/status of 5\d\d/, /ApiError/];

afterEach(() => {
  const faults = [...watches.values()].flatMap((heard) => heard.faults.splice(0));
  expect(faults, 'what the pages complained of').toEqual([]);
});
