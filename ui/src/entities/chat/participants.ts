import type { Conversation, Party } from '@/api/contract';

export function otherParticipant({ participants }: Conversation, me: string): Party {
  const other = participants.find(({ _id }) => _id !== me) ?? participants[0];
  if (!other) throw new Error('a conversation has two people');
  return other;
}
