import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import type { PasskeyOptions } from '@/api/contract';
import { isApiError } from '@/lib/errors';
import { isStaleChunk } from '@/lib/stale-chunk';

/** The dialog was closed or timed out; browsers do not tell which. */
export class PasskeyCancelled extends Error {
  override readonly name = 'PasskeyCancelled';
}

/** The device already has one of the user's passkeys. */
export class PasskeyKnown extends Error {
  override readonly name = 'PasskeyKnown';
}

export const isCancelled = (error: unknown): boolean => error instanceof PasskeyCancelled;

/** Reports whether the browser or device failed, rather than the server or the network. */
export const isDeviceFailure = (error: unknown): boolean => !!error && !isApiError(error) && !isStaleChunk(error);

export const knowsPasskeys = (): boolean => 'PublicKeyCredential' in window;

const library = () => import('@simplewebauthn/browser');

function explained(error: unknown): unknown {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') return new PasskeyCancelled('', { cause: error });
  return name === 'InvalidStateError' ? new PasskeyKnown('', { cause: error }) : error;
}

/** Asks for a passkey. Throws PasskeyCancelled if the user closes the dialog. */
export async function askPasskey({ publicKey }: PasskeyOptions): Promise<Record<string, unknown>> {
  const { startAuthentication } = await library();
  try {
    // The OpenAPI document does not describe what the standard does.
    const optionsJSON = publicKey as unknown as PublicKeyCredentialRequestOptionsJSON;
    return { ...(await startAuthentication({ optionsJSON })) };
  } catch (error) {
    throw explained(error);
  }
}

/** Creates a passkey, like `askPasskey`. Throws PasskeyKnown if the device has one. */
export async function makePasskey({ publicKey }: PasskeyOptions): Promise<Record<string, unknown>> {
  const { startRegistration } = await library();
  try {
    const optionsJSON = publicKey as unknown as PublicKeyCredentialCreationOptionsJSON;
    return { ...(await startRegistration({ optionsJSON })) };
  } catch (error) {
    throw explained(error);
  }
}
