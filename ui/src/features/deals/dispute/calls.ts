import type { DisputeReason } from '@/api/contract';
import { withConfirmation } from '@/entities/user/second-factor/confirmation';
import { api, idempotent, send } from '@/lib/api';

export type Evidence = { text: string; links: string[]; pictures: string[] };
export type Opening = Evidence & { reason: DisputeReason };

const at = (id: string) => ({ path: { id } });

export const openDispute = (dealId: string, body: Opening, key: string) =>
  send(api.POST('/deals/{id}/dispute', { params: at(dealId), body, headers: idempotent(key) }));

export const answerDispute = (id: string, body: Evidence, key: string) =>
  send(api.POST('/disputes/{id}/answer', { params: at(id), body, headers: idempotent(key) }));

export const writeInDispute = (id: string, body: Omit<Evidence, 'links'>, key: string) =>
  send(api.POST('/disputes/{id}/messages', { params: at(id), body, headers: idempotent(key) }));

// Idempotent.
export const closeDispute = (id: string) => send(api.POST('/disputes/{id}/close', { params: at(id) }));

export const offerSplit = (id: string, buyerGets: number, key: string) =>
  withConfirmation(() =>
    send(api.POST('/disputes/{id}/offers', { params: at(id), body: { buyerGets }, headers: idempotent(key) })),
  );

export const withdrawOffer = (id: string, offerId: string) =>
  send(api.DELETE('/disputes/{id}/offers/{offerId}', { params: { path: { id, offerId } } }));

export const appealDecision = (id: string, text: string, key: string) =>
  send(api.POST('/disputes/{id}/appeal', { params: at(id), body: { text }, headers: idempotent(key) }));

// These may move money: they are retried under their key and followed to their end.

export const acceptOffer = (id: string, offerId: string, key: string) =>
  withConfirmation(() =>
    send(api.POST('/disputes/{id}/offers/{offerId}/accept', { params: { path: { id, offerId } }, headers: idempotent(key) })),
  );

export const acceptDecision = (id: string, key: string) =>
  send(api.POST('/disputes/{id}/accept', { params: at(id), headers: idempotent(key) }));
