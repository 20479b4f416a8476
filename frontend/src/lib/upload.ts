import type { Operation } from '~/gen/operations';
import { apiErrorOf, dataOf, envelopeOf, pathOf } from './api';

/** Timeout of files on slow connections, the same as the gateway's. */
const UPLOAD_TIMEOUT_MS = 60_000;

/**
 * Calls an operation that takes a form with files and returns the envelope's data. Rejects with an
 * `ApiError`.
 */
export async function upload<Response>(
  operation: Operation<FormData, Response>,
  body: FormData,
): Promise<Response> {
  try {
    const response = await fetch(pathOf(operation), {
      method: 'POST',
      body,
      credentials: 'same-origin',
      signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
    });
    return dataOf(response.status, await envelopeOf(response)) as Response;
  } catch (error) {
    throw apiErrorOf(error);
  }
}
