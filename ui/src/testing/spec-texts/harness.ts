import { fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http, type JsonBodyType } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '../query-client';
import { notices } from '../recorded';
import { server } from '../server';

/**
 * The tests beside this file are the table of the fixed texts (docs/rules.md#texts): a row for each text, with what somebody does, what the server answers, and what is seen.
 * internal/testing/archtest holds it against the specification: a text without a row is found there, and so is a row without a text.
 */
const METHODS = { GET: http.get, POST: http.post, PUT: http.put, DELETE: http.delete };

/** What the server makes of a call; undefined: what it makes of it otherwise. */
export type Answer = {
  /** As the end of the sentence "… when he pays and …". */
  what: string;
  give: (request: Request) => Response | undefined | Promise<Response | undefined>;
};

/** What somebody does on a screen, and the call that it comes to. */
export type Trigger = {
  /** As the beginning of that sentence: "he pays". */
  when: string;
  call: `${keyof typeof METHODS} /${string}`;
  /** What the server has before. */
  given?: () => void;
  act: () => Promise<unknown>;
};

/** How a text is announced: in a toast of a kind, or in the page, read out by the role of its place. */
type How = 'success' | 'error' | 'alert' | 'status' | 'log' | 'page';

type Said = {
  /** The fixed text. */
  text?: string;
  /** Where something has to be said in words that are not fixed. */
  own?: string;
  trigger: Trigger;
  server: Answer;
  as: How;
  /** What is said in the text's place: the server's message, or the fixed text for it. */
  instead?: string;
  /** What stands under it in the toast. */
  more?: string;
};

/** A failure that is only logged: no toast may speak of it (docs/rules.md#failures). */
type Silent = { trigger: Trigger; server: Answer; as: 'silence'; then: () => Promise<unknown> };

export type Row = Said | Silent;

/** A message that no catalogue has, so that it can only be the server's. */
export const WORD = 'The server has its reasons.';

/** The connection is lost: no answer comes. */
export const lost: Answer = { what: 'the connection is lost', give: () => HttpResponse.error() };
/** What stands before the server answers in its place: nothing of it is for people. */
export const broken: Answer = {
  what: 'the server breaks',
  give: () => new HttpResponse('<h1>Bad gateway</h1>', { status: 502 }),
};
/** A refusal without a message. */
export const mute: Answer = { what: 'it is refused without a word', give: () => new HttpResponse(null, { status: 400 }) };

/** A refusal in the server's words. */
export function says(message: string, status = 400, code = 'invalid'): Answer {
  return { what: `the server answers ${status} “${message}”`, give: () => HttpResponse.json({ message, code }, { status }) };
}
export const refused = says(WORD);

/**
 * A call fails without a message, and the text is seen, or with one, which is. That a lost connection counts as the former is
 * errorText's (lib/errors.test.ts).
 */
export function failures(row: { text: string; trigger: Trigger; as?: 'error' | 'alert' }): Row[] {
  const as = row.as ?? 'error';
  return [
    { ...row, as, server: broken },
    { ...row, as, server: refused, instead: WORD },
  ];
}

/** It is done; the answer is made when the call comes, so that the server may have changed by then. */
export function done(answer: () => JsonBodyType | Response, status = 200): Answer {
  const give = () => {
    const made = answer();
    return made instanceof Response ? made : HttpResponse.json(made, { status });
  };
  return { what: 'it is done', give };
}

/** Types a text into a field, all at once. */
export function enter(label: string | RegExp, value: string): void {
  fireEvent.change(screen.getByLabelText(label, { selector: 'input, textarea, select' }), { target: { value } });
}

/** Answers the call of the trigger, and counts how often it came. */
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

/** Nothing is on its way any more. */
function settled(): Promise<void> {
  return waitFor(() => expect(queryClient.isFetching() + queryClient.isMutating()).toBe(0));
}

const said = () => notices.map((notice) => ({ ...notice, description: undefined }));

async function seeToast(kind: 'success' | 'error', text: string, more: string | undefined): Promise<void> {
  await waitFor(() => expect(said()).toEqual([{ kind, text, description: undefined }]));
  if (more !== undefined) expect(notices[0]?.description).toBe(more);
}

async function seeOnPage(role: Exclude<How, 'success' | 'error'>, text: string): Promise<void> {
  const places = await screen.findAllByText(text);
  for (const place of places) expect(place).toBeVisible();
  if (role !== 'page') expect(places.some((place) => place.closest(`[role="${role}"]`) !== null)).toBe(true);
  // What the page says for good is not said a second time in a toast.
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

/** Tests every row of a part of the table. */
export function specTexts(part: string, rows: readonly Row[]): void {
  describe(part, () => {
    beforeEach(() => {
      sessionStorage.clear();
      const { queries, ...rest } = queryClient.getDefaultOptions();
      // Reads are tried again as in the product, but at once.
      queryClient.setDefaultOptions({ ...rest, queries: { ...queries, retryDelay: 0 } });
    });
    for (const row of rows) it(titleOf(row), () => check(row));
  });
}
