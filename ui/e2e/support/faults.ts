import type { BrowserContext, ConsoleMessage } from '@playwright/test';

type Watch = { faults: string[]; provoked: RegExp[] };

const watches = new Map<BrowserContext, Watch>();

/** Without a session, the session check itself is refused. */
const isQuestion = (message: ConsoleMessage): boolean =>
  message.text().includes('status of 401') && new URL(message.location().url).pathname === '/api/auth/check';

/** Listens to every page of this browser. */
export async function watch(context: BrowserContext): Promise<void> {
  const { faults, provoked }: Watch = { faults: [], provoked: [] };
  watches.set(context, { faults, provoked });
  const note = (where: string | undefined, text: string) => {
    if (!provoked.some((pattern) => pattern.test(text))) faults.push(`${where ?? 'a closed page'}: ${text}`);
  };
  // Exceptions and unhandled rejections.
  context.on('weberror', (fault) => note(fault.page()?.url(), fault.error().message));
  context.on('console', (message) => {
    if (message.type() !== 'error' || isQuestion(message)) return;
    note(message.page()?.url(), `${message.text()} ${message.location().url}`);
  });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`The policy of the page refused ${blockedURI} (${violatedDirective})`);
    });
  });
}

/** The test causes messages of this form, which are then no faults. */
export function provoke(context: BrowserContext, ...forms: RegExp[]): void {
  watches.get(context)?.provoked.push(...forms);
}

/**
 * The browser's messages when the test cuts the network (`setOffline`) or aborts calls
 * (`route.abort`).
 */
export const CUT = /net::ERR_(?:INTERNET_DISCONNECTED|FAILED|CONNECTION_RESET)/;

/** Its messages when the API refuses calls, or sockets without a session. */
export const REFUSED = /status of 4\d\d .*\/api\/|^WebSocket connection to .* HTTP Authentication failed/;

/**
 * Its messages about server failures caused by the test, and React's about pages that need the
 * data.
 */
export const BROKEN_CALLS = [/status of 5\d\d/, /ApiError/];

/** Returns the test's faults and forgets its browsers. */
export function takeFaults(): string[] {
  const heard = [...watches.values()].flatMap(({ faults }) => faults);
  watches.clear();
  return heard;
}
