import type { Party } from '@/api/contract';
import { SELECTION } from '@/lib/storage-owner';

type Selection = { owner: string; selectedConversation: string; selectedUser: Party };

export function storeSelection(owner: string, selectedConversation: string, selectedUser: Party): void {
  const selection: Selection = { owner, selectedConversation, selectedUser };
  try {
    localStorage.setItem(SELECTION, JSON.stringify(selection));
  } catch {
    // Without storage, the inbox opens without a selection.
  }
}

export function selectedConversation(owner: string): string | null {
  try {
    const kept = JSON.parse(localStorage.getItem(SELECTION) ?? 'null') as Partial<Selection> | null;
    return kept?.owner === owner && typeof kept.selectedConversation === 'string' ? kept.selectedConversation : null;
  } catch {
    return null;
  }
}
