import type { DealAnswer, Pending } from '@/api/contract';
import { withConfirmation } from '@/entities/user/second-factor/confirmation';
import { api, idempotent, send } from '@/lib/api';

/** A text and the ids of uploaded pictures, for a delivery or a request for changes. */
export type Words = { text: string; pictures: string[] };

export type DealCall = {
  /** Actions with the same path are one intention: they share a key and a pending state. */
  path: string;
  /** May move money: retried under its key and followed to its end. */
  money: boolean;
  removes?: boolean;
  send: (id: string, key: string, words: Words, terms: number) => Promise<DealAnswer | Pending | object>;
};

type MoneyPath = '/deals/complete/{id}' | '/deals/cancel/{id}' | '/deals/accept-cancellation/{id}';
export const money = (path: MoneyPath): DealCall => ({
  path,
  money: true,
  // Only a release ever requires a confirmation.
  send: (id, key) => withConfirmation(() => send(api.POST(path, { params: { path: { id } }, headers: idempotent(key) }))),
});

/** Pays the terms on the page; the server refuses others. */
export const PAY: DealCall = {
  path: '/deals/pay/{id}',
  money: true,
  send: (id, key, _words, terms) =>
    send(api.POST('/deals/pay/{id}', { params: { path: { id } }, headers: idempotent(key), body: { terms } })),
};

export const CANCEL = money('/deals/cancel/{id}');

// The following calls are idempotent.

export const ACCEPT: DealCall = {
  path: '/deals/accept/{id}',
  money: false,
  send: (id) => send(api.PUT('/deals/accept/{id}', { params: { path: { id } } })),
};

export const DELIVER: DealCall = {
  path: '/deals/deliver/{id}',
  money: false,
  send: (id, _key, words) => send(api.POST('/deals/deliver/{id}', { params: { path: { id } }, body: words })),
};

export const RESET: DealCall = {
  path: '/deals/reset-delivery/{id}',
  money: false,
  send: (id, _key, { text }) => send(api.POST('/deals/reset-delivery/{id}', { params: { path: { id } }, body: { text } })),
};

export const REFUSE: DealCall = {
  path: '/deals/decline-cancellation/{id}',
  money: false,
  send: (id) => send(api.POST('/deals/decline-cancellation/{id}', { params: { path: { id } } })),
};

/** A deal that was paid meanwhile and never accepted stays as cancelled, with a full refund. */
export const REMOVE: DealCall = {
  path: '/deals/{id}',
  money: true,
  removes: true,
  send: (id, key) => send(api.DELETE('/deals/{id}', { params: { path: { id } }, headers: idempotent(key) })),
};
