import { readFile } from 'node:fs/promises';
import path from 'node:path';

export const samples = path.resolve(import.meta.dirname, '../../sample_traces');

/** Uploads a sample through the API, waits until it is loaded, and returns its id. */
export async function uploadSample(url: string, file: string): Promise<string> {
  return upload(url, file, await readFile(path.join(samples, file)));
}

/** Uploads a text as a file with this name, waits until it is loaded, and returns its id. */
export async function uploadText(url: string, file: string, text: string): Promise<string> {
  return upload(url, file, Buffer.from(text));
}

async function upload(url: string, file: string, body: Buffer<ArrayBuffer>): Promise<string> {
  const posted = await fetch(`${url}/api/v1/traces?filename=${encodeURIComponent(file)}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body,
  });
  const { id } = (await posted.json()) as { id: string };
  const read = await fetch(`${url}/api/v1/traces/${id}?wait=60`);
  const { status } = (await read.json()) as { status: string };
  if (status !== 'ready') throw new Error(`${file} is ${status}`);
  return id;
}

export async function deleteTrace(url: string, id: string): Promise<void> {
  const answer = await fetch(`${url}/api/v1/traces/${id}`, { method: 'DELETE' });
  if (!answer.ok) throw new Error(`deleting ${id}: ${answer.status}`);
}
