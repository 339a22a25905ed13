import { valueAt } from '#agent/core/recognition/mcp-server.ts';
import type { ModelStore } from '#domain/app-catalog/loaded-entry.ts';
import { expand } from './expand.ts';
import { limited } from './limited.ts';
import { readJsonManifest } from './manifest.ts';
import type { Scan } from './platform-paths/platform-paths.ts';

/**
 * The limit of one folder: enough for any user, and it bounds a folder that was filled on purpose.
 */
export const MAX_MODELS = 2000;
const MAX_FILES = 1000;
/** The minimum size, smaller than any model. Partial downloads are recognized by their names. */
const MIN_MODEL_BYTES = 1024 * 1024;
const notModel = /(^ggml-vocab|^mmproj|\.(part|partial|tmp|incomplete|downloading)$)/;

const weightsName = /\.(gguf|safetensors|bin|pt|pth|onnx|mlmodelc|npz|task|litertlm)$/;
const formatOf = (name: string) => /\.([a-z]+)$/.exec(name)?.[1] ?? 'unknown';
const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

export interface Model {
  name: string;
  path: string;
  /** Bytes on disk; null if unknown. */
  size: number | null;
  format: string;
}

async function sizeOf(scan: Scan, path: string): Promise<number> {
  const info = await scan.tree.stat(path);
  return info?.isFile() ? info.size : 0;
}

/** Returns the size and format of the weights directly in a folder, following links. */
async function weightsIn(scan: Scan, dir: string): Promise<{ size: number; format: string }> {
  const names = (await scan.tree.list(dir))
    .filter((item) => item.kind === 'file' || item.kind === 'link')
    .map((item) => item.name)
    .filter((name) => weightsName.test(name) && !notModel.test(name))
    .slice(0, MAX_FILES);
  const sizes = await Promise.all(names.map((name) => sizeOf(scan, `${dir}/${name}`)));
  const size = sizes.reduce((sum, next) => sum + next, 0);
  return { size, format: names[0] === undefined ? '' : formatOf(names[0]) };
}

const limitedModels = <Item>(scan: Scan, items: readonly Item[], path: string) =>
  limited(scan, items, MAX_MODELS, { path, of: 'models' });

type Layout = (scan: Scan, path: string) => Promise<Model[]>;

const asFile: Layout = async (scan, path) => {
  const size = await sizeOf(scan, path);
  const name = baseName(path);
  if (size < MIN_MODEL_BYTES || notModel.test(name)) return [];
  return [{ name: name.replace(/\.[a-z]+$/, ''), path, size, format: formatOf(name) }];
};

const asFolder: Layout = async (scan, path) => {
  const { size, format } = await weightsIn(scan, path);
  return size < MIN_MODEL_BYTES ? [] : [{ name: baseName(path), path, size, format }];
};

/** Reads `manifests/HOST/NAMESPACE/MODEL/TAG`: a list of layers with their sizes. */
const asOllama: Layout = async (scan, store) => {
  const found: Model[] = [];
  const manifests = await expand(scan.tree, `${store}/manifests/*/*/*/*`);
  for (const path of limitedModels(scan, manifests, `${store}/manifests/`)) {
    scan.checkpoint();
    const layers = valueAt(await readJsonManifest(scan.tree, path), ['layers']);
    if (!Array.isArray(layers)) continue;
    const sizes = layers.map((layer: unknown) => valueAt(layer, ['size'])).filter(isSize);
    const [host = '', space = '', model = '', tag = ''] = path.split('/').slice(-4);
    const owner = host === 'registry.ollama.ai' && space === 'library' ? '' : `${space}/`;
    const size = sizes.reduce((sum, next) => sum + next, 0);
    found.push({ name: `${owner}${model}:${tag}`, path, size, format: 'gguf' });
  }
  return found;
};

const isSize = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** Reads `models--OWNER--NAME/snapshots/REVISION`: links to the downloaded files. */
const asHuggingFace: Layout = async (scan, store) => {
  const found: Model[] = [];
  const folders = await expand(scan.tree, `${store}/models--*`);
  for (const path of limitedModels(scan, folders, `${store}/`)) {
    scan.checkpoint();
    const snapshots = await expand(scan.tree, `${path}/snapshots/*`);
    const weights = await Promise.all(
      snapshots.slice(0, 20).map((snapshot) => weightsIn(scan, snapshot)),
    );
    const largest = weights.toSorted((a, b) => b.size - a.size)[0];
    if (!largest || largest.size < MIN_MODEL_BYTES) continue;
    const name = baseName(path).slice('models--'.length).replace('--', '/');
    found.push({ name, path, ...largest });
  }
  return found;
};

/** Reads `models.json`, which lists the pulled models by tag. */
const asDocker: Layout = async (scan, store) => {
  const path = `${store}/models.json`;
  const models = valueAt(await readJsonManifest(scan.tree, path), ['models']);
  const listed: readonly unknown[] = Array.isArray(models) ? models : [];
  return limitedModels(scan, listed, path).flatMap((model) => {
    const tags = valueAt(model, ['tags']);
    const names = (Array.isArray(tags) ? tags : []).filter((tag) => typeof tag === 'string');
    const format = valueAt(model, ['config', 'format']);
    return names.map((name) => ({
      name,
      path,
      size: null,
      format: typeof format === 'string' ? format : 'gguf',
    }));
  });
};

/** The functions that find the models in a store's folder, by its layout. */
export const layouts: Record<ModelStore['layout'], Layout> = {
  files: asFile,
  folders: asFolder,
  ollama: asOllama,
  'hugging-face': asHuggingFace,
  docker: asDocker,
};
