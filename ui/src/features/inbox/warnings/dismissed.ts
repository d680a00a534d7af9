import { DISMISSED } from '@/lib/storage-owner';

const MAX_DISMISSED = 500;

type Dismissed = { owner: string; messages: string[] };

function read(owner: string): string[] {
  try {
    const stored = JSON.parse(localStorage.getItem(DISMISSED) ?? 'null') as Partial<Dismissed> | null;
    return stored?.owner === owner && Array.isArray(stored.messages) ? stored.messages : [];
  } catch {
    return [];
  }
}

/** Reports whether this user has hidden the message's warning in this browser. */
export function isDismissed(owner: string, message: string): boolean {
  return read(owner).includes(message);
}

export function dismiss(owner: string, message: string): void {
  const messages = [...read(owner).filter((one) => one !== message), message].slice(-MAX_DISMISSED);
  try {
    localStorage.setItem(DISMISSED, JSON.stringify({ owner, messages } satisfies Dismissed));
  } catch {
    // Without storage it stays hidden until the page is left.
  }
}
