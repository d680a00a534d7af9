const STORAGE_KEY = 'referredBy';

/** The referral code kept on this device until sign-up, or null. */
export function storedReferral(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

export function storeReferral(code: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, code);
  } catch {
    // Without storage the code is lost; signing up still works.
  }
}

export function forgetReferral(): void {
  try {
    localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Nothing was stored.
  }
}
