import { HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { breachOf } from './contract';
import { omit } from './omit';
import { aDeal, nusrat } from './server';

const OF_DEAL = 'http://localhost:3000/api/deals/d-1';
const breach = (method: string, path: string, response: Response) =>
  breachOf(new Request(`http://localhost:3000/api${path}`, { method }), response);

describe('answers of the tests', () => {
  it('may be what the document describes', async () => {
    expect(await breach('GET', '/auth/check', HttpResponse.json(nusrat))).toBeNull();
    expect(await breach('GET', '/deals/my-deals?page=1', HttpResponse.json([aDeal()]))).toBeNull();
    expect(await breachOf(new Request(OF_DEAL), HttpResponse.json({ ...aDeal(), timeline: [] }))).toBeNull();
    const refused = { code: 'not_found', message: 'Deal not found.' };
    expect(await breachOf(new Request(OF_DEAL), HttpResponse.json(refused, { status: 404 }))).toBeNull();
  });

  it('lack nothing, invent nothing and have no other types', async () => {
    const without = omit(nusrat, 'language');
    expect(await breach('GET', '/auth/check', HttpResponse.json(without))).toContain("'language'");
    expect(await breach('GET', '/auth/check', HttpResponse.json({ ...nusrat, age: 30 }))).toContain('additional properties');
    expect(await breach('GET', '/auth/check', HttpResponse.json({ ...nusrat, wallet: '212.40' }))).toContain('body/wallet');
    expect(await breach('GET', '/auth/check', HttpResponse.json({ ...nusrat, createdAt: 'soon' }))).toContain('body/createdAt');
    expect(await breach('GET', '/deals/my-deals', HttpResponse.json([aDeal({ status: 'Lost' as never })]))).toContain(
      'body/0/status',
    );
    expect(await breach('GET', '/auth/check', new HttpResponse('hello'))).toContain('no JSON');
  });

  it('fail with a code that the call has', async () => {
    const locked = { code: 'locked', message: 'Locked.' };
    expect(await breachOf(new Request(OF_DEAL), HttpResponse.json(locked, { status: 404 }))).toContain('body/code');
    expect(await breachOf(new Request(OF_DEAL), HttpResponse.json({ message: 'No.' }, { status: 404 }))).toContain("'code'");
  });

  it('may fail before the API has seen them', async () => {
    expect(await breachOf(new Request(OF_DEAL), new HttpResponse('Bad gateway', { status: 502 }))).toBeNull();
    expect(await breachOf(new Request(OF_DEAL), new HttpResponse('<html>', { status: 503 }))).toBeNull();
  });

  it('are to calls and with statuses that the document knows', async () => {
    expect(await breach('GET', '/deals/d-1/secrets', HttpResponse.json({}))).toContain('no such call');
    expect(await breach('PUT', '/deals/d-1', HttpResponse.json({}))).toContain('no such call');
    expect(await breach('GET', '/deals/d-1', HttpResponse.json({}, { status: 202 }))).toContain('no such call');
  });
});
