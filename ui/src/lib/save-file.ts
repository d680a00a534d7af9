import { transport } from '@/lib/api';
import { ApiError } from '@/lib/errors';

const NAME = /filename="([^"]+)"/;
/** After this time, every browser has read the file. */
const REVOKE_AFTER = 60_000;

/** Downloads a file of the API under the server's name. Throws an ApiError as `send` does. */
export async function saveFile(path: string): Promise<void> {
  let response: Response;
  let content: Blob;
  try {
    response = await transport.fetch(new Request(`${window.location.origin}/api${path}`, { credentials: 'same-origin' }));
    if (!response.ok) throw ApiError.fromAnswer(response, await response.json().catch(() => undefined));
    content = await response.blob();
  } catch (cause) {
    throw cause instanceof ApiError ? cause : ApiError.network(cause);
  }
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = NAME.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'amanat.zip';
  link.click();
  // Older Safari reads the file only after the click.
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER);
}
