import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  noteTyping,
  pollEvery,
  resetLive,
  sendFrame,
  sendOver,
  setConnection,
  setOnline,
  stopTyping,
  usePresence,
  useTyping,
} from './live';

function Partner() {
  const online = usePresence('u-tanvir');
  const typing = useTyping('c-1');
  return <p role="status">{`${String(online)} ${String(typing)}`}</p>;
}
const partner = () => screen.getByRole('status').textContent;

beforeEach(() => {
  vi.useFakeTimers();
  render(<Partner />);
});
afterEach(() => {
  act(resetLive);
  setConnection('connecting');
  vi.useRealTimers();
});

describe('somebody one writes with', () => {
  it('is online, away, or it is not known', () => {
    expect(partner()).toBe('undefined false');
    act(() => setOnline(['u-tanvir']));
    expect(partner()).toBe('true false');
    act(() => setOnline([]));
    expect(partner()).toBe('false false');
    act(() => setOnline(null));
    expect(partner()).toBe('undefined false');
  });

  it('types until three seconds after the last word of it', () => {
    act(() => noteTyping('c-1'));
    act(() => noteTyping('c-2'));
    expect(partner()).toBe('undefined true');
    act(() => {
      vi.advanceTimersByTime(2_900);
    });
    act(() => noteTyping('c-1'));
    act(() => {
      vi.advanceTimersByTime(2_900);
    });
    expect(partner()).toBe('undefined true');
    act(() => {
      vi.advanceTimersByTime(100);
    });
    expect(partner()).toBe('undefined false');
  });

  it('has stopped typing when the message is there, or the connection is not', () => {
    act(() => noteTyping('c-1'));
    act(() => stopTyping('c-1'));
    expect(partner()).toBe('undefined false');
    act(() => noteTyping('c-1'));
    act(() => setOnline(['u-tanvir']));
    act(resetLive);
    expect(partner()).toBe('undefined false');
  });
});

it('frames go out only over a connection', () => {
  expect(sendFrame('typing', { conversationId: 'c-1' })).toBe(false);
  const send = vi.fn(() => true);
  sendOver(send);
  expect(sendFrame('typing', { conversationId: 'c-1' })).toBe(true);
  expect(send).toHaveBeenCalledWith('typing', { conversationId: 'c-1' });
  sendOver(null);
});

it('pages ask seldom while they are told, and as before when they are not', () => {
  expect(pollEvery(10_000)).toBe(10_000);
  setConnection('open');
  expect(pollEvery(10_000)).toBe(60_000);
  setConnection('lost');
  expect(pollEvery(10_000)).toBe(10_000);
});
