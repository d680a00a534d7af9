import { fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http, type JsonBodyType } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '../query-client';
import { notices } from '../recorded';
import { server } from '../server';

/**
 * The tests beside this file are the table of the fixed texts (docs/rules.md#texts): a row per text
 * with the user's action, the server's response, and the result. internal/testing/archtest compares
 * it with the specification, and finds texts without a row and rows without a text.
 */
const METHODS = { GET: http.get, POST: http.post, PUT: http.put, DELETE: http.delete };

/** A response; undefined leaves the call to the other handlers. */
export type Answer = {
  /** The end of the sentence "… when they pay and …". */
  what: string;
  give: (request: Request) => Response | undefined | Promise<Response | undefined>;
};

/** A user's action and the call it makes. */
export type Trigger = {
  /** The beginning of the sentence: "they pay". */
  when: string;
  call: `${keyof typeof METHODS} /${string}`;
  /** Prepares the server. */
  given?: () => void;
  act: () => Promise<unknown>;
};

/** A kind of toast, or the role of the announced element. */
type How = 'success' | 'error' | 'alert' | 'status' | 'log' | 'page';

type Said = {
  /** The fixed text. */
  text?: string;
  /** A text that is not fixed. */
  own?: string;
  trigger: Trigger;
  server: Answer;
  as: How;
  /** Shown instead of the text: the server's message, or its fixed text. */
  instead?: string;
  /** The toast's description. */
  more?: string;
};

/** A failure that is only logged: no toast may mention it (docs/rules.md#failures). */
type Silent = { trigger: Trigger; server: Answer; as: 'silence'; then: () => Promise<unknown> };

export type Row = Said | Silent;

/** In no catalogue, so it can only come from the server. */
export const WORD = 'The server has its reasons.';

/** The connection is lost. */
export const lost: Answer = { what: 'the connection is lost', give: () => HttpResponse.error() };
/** A proxy answers, with nothing for users. */
export const broken: Answer = {
  what: 'the server breaks',
  give: () => new HttpResponse('<h1>Bad gateway</h1>', { status: 502 }),
};
/** A refusal without a message. */
export const mute: Answer = { what: 'it is refused without a word', give: () => new HttpResponse(null, { status: 400 }) };

/** A refusal with a message. */
export function says(message: string, status = 400, code = 'invalid'): Answer {
  return { what: `the server answers ${status} “${message}”`, give: () => HttpResponse.json({ message, code }, { status }) };
}
export const refused = says(WORD);

/**
 * Without a message a failure shows the text, with one the message. lib/errors.test.ts proves that
 * a lost connection counts as the former.
 */
export function failures(row: { text: string; trigger: Trigger; as?: 'error' | 'alert' }): Row[] {
  const as = row.as ?? 'error';
  return [
    { ...row, as, server: broken },
    { ...row, as, server: refused, instead: WORD },
  ];
}

/** A success; computed on the call, because the server may change before. */
export function done(answer: () => JsonBodyType | Response, status = 200): Answer {
  const give = () => {
    const made = answer();
    return made instanceof Response ? made : HttpResponse.json(made, { status });
  };
  return { what: 'it is done', give };
}

/** Types a text at once. */
export function enter(label: string | RegExp, value: string): void {
  fireEvent.change(screen.getByLabelText(label, { selector: 'input, textarea, select' }), { target: { value } });
}

/** Answers the trigger's call and counts it. */
function serve({ call }: Trigger, { give }: Answer): () => number {
  const [method, path] = call.split(' ') as [keyof typeof METHODS, string];
  let calls = 0;
  server.use(
    METHODS[method](`*/api${path}`, ({ request }) => {
      calls += 1;
      return give(request);
    }),
  );
  return () => calls;
}

/** Waits until nothing is loading. */
function settled(): Promise<void> {
  return waitFor(() => expect(queryClient.isFetching() + queryClient.isMutating()).toBe(0));
}

const said = () => notices.map((notice) => ({ ...notice, description: undefined, copy: undefined }));

async function seeToast(kind: 'success' | 'error', text: string, more: string | undefined): Promise<void> {
  await waitFor(() => expect(said()).toEqual([{ kind, text, description: undefined }]));
  if (more !== undefined) expect(notices[0]?.description).toBe(more);
}

async function seeOnPage(role: Exclude<How, 'success' | 'error'>, text: string): Promise<void> {
  const places = await screen.findAllByText(text);
  for (const place of places) expect(place).toBeVisible();
  if (role !== 'page') expect(places.some((place) => place.closest(`[role="${role}"]`) !== null)).toBe(true);
  // A text on the page is not repeated in a toast.
  await settled();
  expect(notices).toEqual([]);
}

async function check(row: Row): Promise<void> {
  row.trigger.given?.();
  const calls = serve(row.trigger, row.server);
  await row.trigger.act();
  await waitFor(() => expect(calls()).toBeGreaterThan(0));
  if (row.as === 'silence') {
    await settled();
    await row.then();
    expect(notices).toEqual([]);
    return;
  }
  const text = row.instead ?? row.text ?? row.own ?? '';
  if (row.as === 'success' || row.as === 'error') await seeToast(row.as, text, row.more);
  else await seeOnPage(row.as, text);
}

function titleOf(row: Row): string {
  const cause = `when ${row.trigger.when} and ${row.server.what}`;
  if (row.as === 'silence') return `no toast ${cause}`;
  const place = row.as === 'success' || row.as === 'error' ? 'toast' : row.as;
  return `${place} “${row.instead ?? row.text ?? row.own ?? ''}” ${cause}`;
}

/** Tests the rows of a table. */
export function specTexts(part: string, rows: readonly Row[]): void {
  describe(part, () => {
    beforeEach(() => {
      sessionStorage.clear();
      const { queries, ...rest } = queryClient.getDefaultOptions();
      // Reads are retried as in the product, but at once.
      queryClient.setDefaultOptions({ ...rest, queries: { ...queries, retryDelay: 0 } });
    });
    for (const row of rows) it(titleOf(row), () => check(row));
  });
}
