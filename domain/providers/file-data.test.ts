import { describe, expect, test } from 'vitest';
import { randomOf } from '../redaction/testing/random.ts';
import { withoutFileData } from './file-data.ts';

const random = randomOf(3);
const bytes = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => random.below(256)));
const image = bytes(600).toString('base64');
const small = bytes(60).toString('base64');
const text = Buffer.from('name,mail\nJane,jane.doe@example.com\n'.repeat(20)).toString('base64');
const note = (length: number): string => `[${length} bytes, not uploaded]`;

describe('the data of files is replaced by its size', () => {
  test.each<[name: string, body: object, replaced: object]>([
    [
      'OpenAI: an image',
      { type: 'image_url', image_url: { url: `data:image/png;base64,${small}` } },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${note(60)}` } },
    ],
    [
      'OpenAI: audio',
      { type: 'input_audio', input_audio: { data: small, format: 'wav' } },
      { type: 'input_audio', input_audio: { data: note(60), format: 'wav' } },
    ],
    [
      'OpenAI: a file',
      { type: 'input_file', filename: 'a.pdf', file_data: small },
      { type: 'input_file', filename: 'a.pdf', file_data: note(60) },
    ],
    [
      'OpenAI: a generated image',
      { data: [{ b64_json: image }] },
      { data: [{ b64_json: note(600) }] },
    ],
    [
      'OpenAI: an image of a tool',
      { type: 'image_generation_call', id: 'ig_1', result: image },
      { type: 'image_generation_call', id: 'ig_1', result: note(600) },
    ],
    [
      'Anthropic',
      { source: { type: 'base64', media_type: 'image/png', data: small } },
      { source: { type: 'base64', media_type: 'image/png', data: note(60) } },
    ],
    [
      'Gemini',
      { inlineData: { mimeType: 'audio/pcm', data: small } },
      { inlineData: { mimeType: 'audio/pcm', data: note(60) } },
    ],
    [
      'Bedrock',
      { image: { format: 'png', source: { bytes: image } } },
      { image: { format: 'png', source: { bytes: note(600) } } },
    ],
    ['Ollama', { images: [image, image] }, { images: [note(600), note(600)] }],
    ['silence', { audio: 'A'.repeat(400) }, { audio: note(300) }],
    [
      'several pieces',
      { audio: `${image}${bytes(400).toString('base64')}` },
      { audio: note(1000) },
    ],
    [
      'base64 for URLs',
      { mime_type: 'image/png', data: bytes(61).toString('base64url') },
      { mime_type: 'image/png', data: note(61) },
    ],
    ['wrapped lines', { body: image.replaceAll(/.{76}/g, '$&\r\n') }, { body: note(600) }],
    [
      'JSON in a string',
      { arguments: JSON.stringify({ shot: image }) },
      { arguments: JSON.stringify({ shot: note(600) }) },
    ],
    [
      'a data URL in a text',
      { content: `<img src="data:image/png;base64,${small}"> and more` },
      { content: `<img src="data:image/png;base64,${note(60)}"> and more` },
    ],
    [
      'a data URL with parameters',
      { url: `data:text/plain;charset=utf-8;base64,${encodeURIComponent(small)}` },
      { url: `data:text/plain;charset=utf-8;base64,${note(60)}` },
    ],
  ])('%s', (_name, body, replaced) => {
    const spaced = JSON.stringify(body, null, 1);
    expect(withoutFileData(spaced).text).toBe(JSON.stringify(replaced, null, 1));
  });

  test('escaped slashes', () => {
    const url = JSON.stringify(`data:image/png;base64,${small}`).replaceAll('/', '\\/');
    expect(withoutFileData(`{"url":${url}}`).text).toBe(
      `{"url":"data:image/png;base64,${note(60)}"}`,
    );
    expect(withoutFileData(`log: ${url}`).text).toBe(`log: "data:image\\/png;base64,${note(60)}"`);
  });

  test('in a body that is cut', () => {
    const cut = `{"model":"m","images":["${image}","${image.slice(0, 400)}`;
    expect(withoutFileData(cut).text).toBe(`{"model":"m","images":["${note(600)}","${note(300)}`);
  });
});

test('a text file is returned, to be searched', () => {
  const { fileTexts } = withoutFileData(
    JSON.stringify({ url: `data:text/csv;base64,${text}`, image_url: { data: image } }),
  );
  expect(fileTexts).toEqual([Buffer.from(text, 'base64').toString()]);
});

test.each<[name: string, body: object]>([
  ['prose', { content: 'word '.repeat(400) }],
  ['one long word', { content: 'a'.repeat(2000) }],
  ['text without blanks', { content: '密钥'.repeat(2000) }],
  ['an id', { id: image }],
  ['a reference', { previous_response_id: image }],
  ['a key', { data: `sk-${'aB3dE5fG7h'.repeat(16)}` }],
  ['a token', { secret: image.slice(0, 500) }],
  ['the name of a data URL', { content: 'https://x.example/data:image;base64' }],
  ['numbers', { data: [1, 2, 3], format: 'png' }],
])('%s is unchanged', (_name, body) => {
  const json = JSON.stringify(body);
  expect(withoutFileData(json)).toEqual({ text: json, fileTexts: [] });
});

test('the work is linear for texts that resemble data URLs', () => {
  for (const unit of ['data:', 'data:a/', 'data:a/b;c=d', ';base64,', 'data:;base64,', 'a/', '%2B'])
    expect(() => withoutFileData(unit.repeat(2_000_000 / unit.length))).not.toThrow();
});
