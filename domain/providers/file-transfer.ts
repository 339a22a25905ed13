import { plainPath } from './plain-path.ts';

/** Uploads to Google's APIs: https://ai.google.dev/api/files#method:-media.upload */
const uploadPath = /^\/(?:resumable\/)?upload\//;

/**
 * Downloads from the file APIs of OpenAI, Anthropic, Mistral, xAI and Azure
 * (`/v1/files/{id}/content`, also within a container) and of Google (`/v1beta/files/{id}:download`).
 */
const downloadPath = /\/files\/[^/]+(?:\/(?:contents?|download)|:download)$|^\/download\//;

/** Whether the whole body of the request is a file, whatever its type says. */
export const isFileUpload = (method: string, path: string, type: string | null): boolean =>
  uploadPath.test(plainPath(path)) || (method === 'PUT' && !/\bjson\b/i.test(type ?? ''));

/** Whether the whole body of the response is a file. */
export const isFileDownload = (path: string): boolean => downloadPath.test(plainPath(path));
