import type { Party } from '@/api/contract';

/** The name under which the chat selection is kept on the device (docs/rules.md#device-storage). */
const STORAGE_KEY = 'chat-storage';

/** The conversation that was open last and the other person in it; `owner` is whose choice it was. */
type Selection = { owner: string; selectedConversation: string; selectedUser: Party };

export function keepSelection(owner: string, selectedConversation: string, selectedUser: Party): void {
  const selection: Selection = { owner, selectedConversation, selectedUser };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(selection));
  } catch {
    // Without storage the inbox opens with nothing chosen.
  }
}

export function forgetSelection(): void {
  try {
    localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Nothing was kept then.
  }
}

/** The conversation that this user had open last on this device, or null. */
export function selectedConversation(owner: string): string | null {
  try {
    const kept = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as Partial<Selection> | null;
    return kept?.owner === owner && typeof kept.selectedConversation === 'string' ? kept.selectedConversation : null;
  } catch {
    return null;
  }
}
