import type { BrowserContext, ConsoleMessage } from '@playwright/test';

type Watch = { faults: string[]; provoked: RegExp[] };

const watches = new Map<BrowserContext, Watch>();

/** Who has no session hears so when he asks whether he has one. */
const isQuestion = (message: ConsoleMessage): boolean =>
  message.text().includes('status of 401') && new URL(message.location().url).pathname === '/api/auth/check';

/** Listens to everything that this browser opens. */
export async function watch(context: BrowserContext): Promise<void> {
  const { faults, provoked }: Watch = { faults: [], provoked: [] };
  watches.set(context, { faults, provoked });
  const note = (where: string | undefined, text: string) => {
    if (!provoked.some((pattern) => pattern.test(text))) faults.push(`${where ?? 'a closed page'}: ${text}`);
  };
  // Exceptions, and rejections that nobody handled.
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

/** This browser is about to complain because the test makes it: complaints of this form are no faults. */
export function provoke(context: BrowserContext, ...forms: RegExp[]): void {
  watches.get(context)?.provoked.push(...forms);
}

/** What a browser says when the test takes the network away (`setOffline`) or breaks calls off (`route.abort`). */
export const CUT = /net::ERR_(?:INTERNET_DISCONNECTED|FAILED|CONNECTION_RESET)/;

/** What it says when the API refuses what the test does: calls, and sockets without a session. */
export const REFUSED = /status of 4\d\d .*\/api\/|^WebSocket connection to .* HTTP Authentication failed/;

/** What a browser says of calls that the test answers with a failure of the server, and React of a page that cannot do without one. */
export const BROKEN_CALLS = [/status of 5\d\d/, /ApiError/];

/** What the pages of a test have complained of; its browsers are closed and forgotten. */
export function takeFaults(): string[] {
  const heard = [...watches.values()].flatMap(({ faults }) => faults);
  watches.clear();
  return heard;
}
