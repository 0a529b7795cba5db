import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const repository = path.resolve(import.meta.dirname, '../..');
const readyTimeoutMs = 60_000;

/** The whole product as a user starts it, with its own port and data folder. */
export class Stack {
  readonly url: string;
  private process: ChildProcess | undefined;
  private data: string | undefined;
  private output = '';

  constructor(private readonly port: number) {
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Resolves when the product has printed its address. Data of an earlier start is kept. */
  async start(options: { samples: boolean; settings?: Readonly<Record<string, string>> }): Promise<void> {
    this.data ??= await mkdtemp(path.join(tmpdir(), 'jitterscope-e2e-'));
    this.output = '';
    const args = ['-m', 'jitterscope', 'run', '--port', String(this.port), '--data', this.data];
    const { DATABASE_URL: _, ...environment } = process.env;
    const child = spawn(
      path.join(repository, 'backend/.venv/bin/python'),
      [...args, options.samples ? '--samples' : '--no-samples'],
      { cwd: repository, env: { ...environment, ...options.settings }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    this.process = child;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(this.failure('is not ready')), readyTimeoutMs);
      const read = (chunk: Buffer): void => {
        this.output += chunk.toString();
        if (this.output.includes('Jitterscope is at')) resolve();
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('exit', (code) => {
        clearTimeout(timer);
        reject(this.failure(`ended with ${code}`));
      });
    });
  }

  /** Stops it as Ctrl-C does, and resolves with its exit code. */
  async stop(): Promise<number | null> {
    return this.end('SIGINT');
  }

  /** Kills the supervisor without warning. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  async remove(): Promise<void> {
    await this.stop();
    if (this.data) await rm(this.data, { recursive: true, force: true, maxRetries: 5 });
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.process;
    this.process = undefined;
    if (!child || child.exitCode !== null) return child?.exitCode ?? null;
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill(signal);
    return ended;
  }

  private failure(what: string): Error {
    return new Error(`the product ${what}; it said:\n${this.output}`);
  }
}
