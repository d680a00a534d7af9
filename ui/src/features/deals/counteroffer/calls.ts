import type { CounterofferBody } from '@/api/contract';
import { api, idempotent, send } from '@/lib/api';

export const makeCounteroffer = (id: string, body: CounterofferBody, key: string) =>
  send(api.POST('/deals/{id}/counteroffers', { params: { path: { id } }, body, headers: idempotent(key) }));

// Idempotent.

const at = (id: string, counterofferId: string) => ({ params: { path: { id, counterofferId } } });

export const acceptCounteroffer = (id: string, counterofferId: string) =>
  send(api.POST('/deals/{id}/counteroffers/{counterofferId}/accept', at(id, counterofferId)));

export const declineCounteroffer = (id: string, counterofferId: string) =>
  send(api.POST('/deals/{id}/counteroffers/{counterofferId}/decline', at(id, counterofferId)));

export const withdrawCounteroffer = (id: string, counterofferId: string) =>
  send(api.DELETE('/deals/{id}/counteroffers/{counterofferId}', at(id, counterofferId)));
