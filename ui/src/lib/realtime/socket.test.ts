import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeSocket, fakeSockets, lastSocket } from '@/testing/socket';
import { LiveSocket } from './socket';

const on = { frame: vi.fn(), open: vi.fn(), lost: vi.fn(), gap: vi.fn(), ended: vi.fn(), failing: vi.fn() };

let live: LiveSocket;

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);
const heard = () => on.frame.mock.calls.map(([frame]) => (frame as { seq?: number }).seq);
const dealUpdated = (seq: number) => lastSocket().say('dealUpdated', { _id: 'd-1', status: 'Active' }, seq);
const pings = () => lastSocket().sent.filter((frame) => (frame as { type: string }).type === 'ping').length;

function look(state: 'visible' | 'hidden'): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(async () => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  fakeSockets();
  live = new LiveSocket(7, on);
  await pass(0);
});

afterEach(() => {
  live.stop();
  vi.useRealTimers();
});

describe('the place in the event log', () => {
  it('is the one the page was loaded with, and then that of the last event', async () => {
    expect(lastSocket().url).toBe('ws://localhost:3000/api/ws?since=7');
    lastSocket().join({ recovered: true, seq: 9 });
    dealUpdated(8);
    dealUpdated(9);
    lastSocket().end(1006);
    await pass(2);
    expect(lastSocket().since).toBe('9');
    expect(on.gap).not.toHaveBeenCalled();
  });

  it('lets nothing through twice, however often it comes', async () => {
    lastSocket().join();
    dealUpdated(8);
    dealUpdated(8);
    dealUpdated(7);
    lastSocket().end(4002);
    await pass(2);
    lastSocket().join();
    dealUpdated(8);
    dealUpdated(9);
    expect(heard()).toEqual([8, 9]);
  });

  it('moves on over what this version of the page does not understand', () => {
    lastSocket().join();
    const frame = { v: 1, id: 'x', type: 'newsOfTomorrow', ts: '2026-11-20T10:00:00Z', seq: 8, data: {} };
    lastSocket().sayText(JSON.stringify(frame));
    lastSocket().sayText(JSON.stringify({ ...frame, type: 'messageRead', seq: 9, data: { conversationId: 5 } }));
    lastSocket().sayText('no frame at all');
    dealUpdated(10);
    expect(heard()).toEqual([10]);
    expect(on.gap).not.toHaveBeenCalled();
  });

  it('is taken anew when the server replays nothing, or skips something', () => {
    lastSocket().join({ recovered: false, seq: 500 });
    expect(on.gap).toHaveBeenCalledTimes(1);
    dealUpdated(400);
    dealUpdated(501);
    expect(heard()).toEqual([501]);
    dealUpdated(503);
    expect(on.gap).toHaveBeenCalledTimes(2);
    expect(heard()).toEqual([501, 503]);
  });

  it('is not needed by what is not in the log', () => {
    lastSocket().join();
    lastSocket().say('getOnlineUsers', ['u-tanvir']);
    lastSocket().say('getOnlineUsers', null);
    expect(heard()).toEqual([undefined, undefined]);
  });
});

describe('a connection', () => {
  it('is there with the server’s hello, and can send from then on', () => {
    expect(live.send('{}')).toBe(false);
    expect(on.open).not.toHaveBeenCalled();
    lastSocket().join();
    expect(on.open).toHaveBeenCalledTimes(1);
    expect(live.send('{"type":"typing","data":{"conversationId":"c-1"}}')).toBe(true);
    expect(lastSocket().sent).toEqual([{ type: 'typing', data: { conversationId: 'c-1' } }]);
  });

  it('is pinged every 25 seconds and stays while it is answered', async () => {
    lastSocket().join();
    for (let i = 0; i < 4; i++) {
      await pass(25);
      lastSocket().say('pong', {});
    }
    expect(pings()).toBe(4);
    expect(FakeSocket.all).toHaveLength(1);
  });

  it('that says nothing for 10 seconds after a ping is dead, and another one takes its place', async () => {
    lastSocket().join();
    await pass(25);
    expect(on.lost).not.toHaveBeenCalled();
    await pass(10.1);
    expect(on.lost).toHaveBeenCalledTimes(1);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it('that is accepted and never greeted is given up', async () => {
    lastSocket().readyState = 1;
    lastSocket().dispatchEvent(new Event('open'));
    await pass(10.1);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it('that cannot be made is tried for ever, after 1 to 5 seconds, and the session is asked about', async () => {
    for (let i = 1; i <= 9; i++) {
      lastSocket().fail();
      await pass(0.9);
      expect(FakeSocket.all).toHaveLength(i);
      await pass(4.1);
      expect(FakeSocket.all).toHaveLength(i + 1);
    }
    expect(on.failing).toHaveBeenCalledTimes(3);
    expect(on.lost).toHaveBeenCalled();
    lastSocket().join();
    expect(on.open).toHaveBeenCalledTimes(1);
  });

  it('that nobody answers is given up after 20 seconds', async () => {
    await pass(19.9);
    expect(FakeSocket.all[0]?.readyState).toBe(0);
    await pass(5);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it('ends with the page’s user', async () => {
    lastSocket().join();
    live.stop();
    await pass(60);
    window.dispatchEvent(new Event('online'));
    expect(FakeSocket.all).toHaveLength(1);
    expect(FakeSocket.all[0]?.readyState).toBe(3);
  });
});

describe('the server closes', () => {
  it('for a restart: not all come back in the same moment', async () => {
    lastSocket().join();
    lastSocket().end(1012);
    expect(on.lost).toHaveBeenCalledTimes(1);
    await pass(0.9);
    expect(FakeSocket.all).toHaveLength(1);
    await pass(4.1);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it('because the session is over: nothing is tried until there is one again', async () => {
    lastSocket().join();
    lastSocket().end(4001);
    expect(on.ended).toHaveBeenCalledTimes(1);
    await pass(60);
    window.dispatchEvent(new Event('online'));
    look('visible');
    await pass(1);
    expect(FakeSocket.all).toHaveLength(1);
    live.resume();
    await pass(0);
    expect(lastSocket().since).toBe('7');
    expect(FakeSocket.all).toHaveLength(2);
  });

  it('because the user has too many: the page comes back when it is looked at', async () => {
    lastSocket().join();
    look('hidden');
    lastSocket().end(4003);
    await pass(60);
    window.dispatchEvent(new Event('online'));
    await pass(1);
    expect(FakeSocket.all).toHaveLength(1);
    look('visible');
    await pass(0);
    expect(FakeSocket.all).toHaveLength(2);
  });
});

describe('somebody comes back to the page', () => {
  it('and what waits for its next attempt tries at once', async () => {
    for (let i = 0; i < 6; i++) {
      lastSocket().fail();
      await pass(5);
    }
    lastSocket().fail();
    const before = FakeSocket.all.length;
    look('visible');
    await pass(0);
    expect(FakeSocket.all).toHaveLength(before + 1);
  });

  it('and what is being made is left alone, unless the network is another', async () => {
    look('visible');
    await pass(0);
    expect(FakeSocket.all).toHaveLength(1);
    window.dispatchEvent(new Event('online'));
    await pass(0);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it('and what has died meanwhile is noticed within three seconds', async () => {
    lastSocket().join();
    look('visible');
    expect(pings()).toBe(1);
    await pass(3.1);
    expect(FakeSocket.all).toHaveLength(2);
  });
});
