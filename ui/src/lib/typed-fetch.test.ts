import { expect, it, vi } from 'vitest';
import { typedFetch } from './typed-fetch';

/** A client whose server gives one answer, and the requests that it got. */
function client(answer: Response) {
  const fetch = vi.fn<(request: Request) => Promise<Response>>().mockResolvedValue(answer);
  const sent = () => {
    const request = fetch.mock.calls[0]?.[0];
    if (!request) throw new Error('nothing was sent');
    return request;
  };
  return { api: typedFetch('http://localhost/api', fetch), sent };
}

it('fills the path and leaves out of the query what is missing', async () => {
  const { api, sent } = client(Response.json([]));
  await api.GET('/admin/deposits', { params: { query: { page: 2, limit: undefined } } });
  expect([sent().method, sent().url, sent().credentials]).toEqual([
    'GET',
    'http://localhost/api/admin/deposits?page=2',
    'same-origin',
  ]);
});

it('encodes what stands in a path', async () => {
  const { api, sent } = client(Response.json({}));
  await api.GET('/deals/{id}', { params: { path: { id: 'a/b?c' } } });
  expect(sent().url).toBe('http://localhost/api/deals/a%2Fb%3Fc');
});

it('sends a body as JSON, with the headers of the caller', async () => {
  const { api, sent } = client(Response.json({ ok: true }));
  await api.POST('/auth/login' as never, { body: { username: 'buyer' }, headers: { 'Idempotency-Key': 'k' } } as never);
  expect(sent().headers.get('Content-Type')).toBe('application/json');
  expect(sent().headers.get('Idempotency-Key')).toBe('k');
  expect(await sent().json()).toEqual({ username: 'buyer' });
});

it('leaves the type of a form to the browser, which knows its boundary', async () => {
  const { api, sent } = client(Response.json({}));
  await api.POST('/pictures' as never, { body: new FormData() } as never);
  expect(sent().headers.get('Content-Type')).not.toBe('application/json');
});

it.each([
  ['a body', new Response('{"a":1}'), { data: { a: 1 } }],
  ['no body', new Response(null, { status: 204 }), { data: undefined }],
  ['a refusal', new Response('{"code":"locked"}', { status: 403 }), { error: { code: 'locked' } }],
  ['a page of a proxy', new Response('<html>', { status: 502 }), { error: '<html>' }],
])('answers with %s', async (_what, response, expected) => {
  expect(await client(response).api.GET('/deals' as never)).toEqual({ response, ...expected });
});
