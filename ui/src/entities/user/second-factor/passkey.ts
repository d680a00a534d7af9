import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import type { PasskeyOptions } from '@/api/contract';
import { isApiError } from '@/lib/errors';
import { isStaleChunk } from '@/lib/stale-chunk';

/** The user has closed the browser's dialog, or let it time out: browsers do not tell which. */
export class PasskeyCancelled extends Error {
  override readonly name = 'PasskeyCancelled';
}

/** The device has one of the user's passkeys already. */
export class PasskeyKnown extends Error {
  override readonly name = 'PasskeyKnown';
}

export const isCancelled = (error: unknown): boolean => error instanceof PasskeyCancelled;

/** Whether it was neither the server's refusal nor the network: browser or device could not do it. */
export const isDeviceFailure = (error: unknown): boolean => !!error && !isApiError(error) && !isStaleChunk(error);

/** Whether the browser has passkeys at all. */
export const knowsPasskeys = (): boolean => 'PublicKeyCredential' in window;

// Most visits need none of it.
const library = () => import('@simplewebauthn/browser');

function explained(error: unknown): unknown {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') return new PasskeyCancelled('', { cause: error });
  return name === 'InvalidStateError' ? new PasskeyKnown('', { cause: error }) : error;
}

/** Has the browser ask for a passkey, and returns its answer for the server. Throws PasskeyCancelled if the user closes the dialog. */
export async function askPasskey({ publicKey }: PasskeyOptions): Promise<Record<string, unknown>> {
  const { startAuthentication } = await library();
  try {
    // The document does not describe what the standard does.
    const optionsJSON = publicKey as unknown as PublicKeyCredentialRequestOptionsJSON;
    return { ...(await startAuthentication({ optionsJSON })) };
  } catch (error) {
    throw explained(error);
  }
}

/** Has the browser make a passkey, as `askPasskey`. Throws PasskeyKnown if the device has one of this user. */
export async function makePasskey({ publicKey }: PasskeyOptions): Promise<Record<string, unknown>> {
  const { startRegistration } = await library();
  try {
    const optionsJSON = publicKey as unknown as PublicKeyCredentialCreationOptionsJSON;
    return { ...(await startRegistration({ optionsJSON })) };
  } catch (error) {
    throw explained(error);
  }
}
