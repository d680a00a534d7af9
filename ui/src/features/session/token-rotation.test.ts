import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import { api, send } from '@/lib/api';
import { deferred } from '@/testing/deferred';
import { nusrat, server } from '@/testing/server';
import { watchRotations } from './token-rotation';

/** A server that rotates the token when the test says so. */
function rotatingServer() {
  const confirmed = deferred();
  const reads: number[] = [];
  server.use(
    http.post('*/api/auth/confirm-password', async () => {
      await confirmed.promise;
      return HttpResponse.json({ message: 'Password confirmed.' });
    }),
    http.get('*/api/auth/check', () => {
      reads.push(reads.length === 0 ? 401 : 200);
      if (reads.length > 1) return HttpResponse.json(nusrat);
      confirmed.resolve();
      return HttpResponse.json({ code: 'unauthenticated', message: 'Please log in to continue.' }, { status: 401 });
    }),
  );
  return reads;
}

beforeEach(watchRotations);

it('a read that the change of the token has overtaken is made again', async () => {
  const reads = rotatingServer();
  const confirming = send(api.POST('/auth/confirm-password', { body: { password: 'secret' } }));
  expect(await send(api.GET('/auth/check'))).toEqual(nusrat);
  await confirming;
  expect(reads).toEqual([401, 200]);
});

it('any other read that finds no session is refused', async () => {
  const reads = rotatingServer();
  await expect(send(api.GET('/auth/check'))).rejects.toMatchObject({ status: 401 });
  expect(reads).toEqual([401]);
});
