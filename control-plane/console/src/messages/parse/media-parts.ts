import { isObject } from './json.ts';
import type { JsonObject } from './json.ts';
import type { MediaPart } from './model.ts';
import { typeOf } from './tool-parts.ts';

const mediaType =
  /^(input_|output_)?(image|image_url|audio|video|file|document|media|blob|uri)(_url)?$/;
/** Members that identify the kind of media in formats of Gemini and Bedrock. */
const mediaMembers = [
  'inlineData',
  'inline_data',
  'fileData',
  'file_data',
  'image',
  'video',
  'audio',
  'document',
  'cachePoint',
];
const mimeMembers = ['mime_type', 'mimeType', 'media_type', 'mediaType', 'format'];
const addresses = ['url', 'uri', 'file_uri', 'fileUri', 'image_url', 'file_id', 'data', 'image'];

export function readMedia(object: JsonObject): MediaPart | undefined {
  const type = typeOf(object);
  if (mediaType.test(type)) return media(object, type);
  const member = mediaMembers.find((name) => isObject(object[name]));
  return type === '' && member !== undefined ? media(object, member) : undefined;
}

const media = (value: JsonObject, type: string): MediaPart => ({
  kind: 'media',
  type: mimeOf(value) ?? type,
  url: addressOf(value),
  value,
});

const levels = (value: JsonObject): JsonObject[] => [
  value,
  ...Object.values(value).filter(isObject),
];

function mimeOf(value: JsonObject): string | null {
  const types = levels(value).flatMap((level) => mimeMembers.map((name) => level[name]));
  return types.find((type): type is string => typeof type === 'string') ?? null;
}

/** The address of externally stored media; null if the data is part of the value. */
function addressOf(value: JsonObject): string | null {
  const texts = levels(value).flatMap((level) => addresses.map((name) => level[name]));
  const isAddress = (text: unknown): text is string =>
    typeof text === 'string' && text.length < 4096 && /^(?!data:)[a-z][a-z0-9+.-]*:/i.test(text);
  return texts.find(isAddress) ?? null;
}
