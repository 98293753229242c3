import { execFileSync, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { skillText } from '../support/skills.ts';
import { outcomes, place, transferLab } from './transfer-lab.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** `git http-backend` as a server runs it. */
function backend(root: string) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const child = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env['PATH'] ?? '',
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        REQUEST_METHOD: request.method ?? 'GET',
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        REMOTE_ADDR: '127.0.0.1',
      },
    });
    request.pipe(child.stdin);
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.on('close', () => {
      const whole = Buffer.concat(parts);
      const end = whole.indexOf('\r\n\r\n');
      for (const line of whole.toString('latin1', 0, end).split('\r\n')) {
        const [, key = '', value = ''] = /^([^:]+): (.*)$/.exec(line) ?? [];
        if (key === 'Status') response.statusCode = Number.parseInt(value, 10);
        else response.setHeader(key, value);
      }
      response.end(whole.subarray(end + 4));
    });
  };
}

test('a repository is fetched over HTTP, shallow, and updated from there', async () => {
  const lab = await transferLab();
  const source = await place();
  await source.write({ 'words/SKILL.md': skillText('words', '# Words') });
  source.commit();
  const host = await serve(backend(join(source.dir, '..')));
  const url = `http://${host}/${source.dir.split('/').at(-1)}/.git`;
  expect(outcomes((await lab.add(url)).skills)).toEqual({ words: 'added' });
  await source.write({ 'words/SKILL.md': skillText('words', '# New') });
  source.commit();
  expect(outcomes(await lab.update())).toEqual({ words: 'updated' });
});

test('a host that wants a password is told of without one being asked for or kept', async () => {
  const lab = await transferLab();
  const host = await serve((_, response) => {
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="x"' }).end();
  });
  for (const login of ['', 'me:hunter2secret@']) {
    const failed = await lab.add(`http://${login}${host}/a.git`).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: 'git-failed',
      message: expect.stringContaining('wants credentials'),
    });
    expect(String(failed) + String((failed as Error).cause)).not.toContain('hunter2secret');
  }
});

test('a redirect to another protocol is not followed', async () => {
  const lab = await transferLab();
  const source = await place();
  await source.write({ 'words/SKILL.md': skillText('words', '# Words') });
  source.commit();
  const host = await serve((_, response) => {
    response.writeHead(302, { Location: `ftp://127.0.0.1/x` }).end();
  });
  await expect(lab.add(`http://${host}/a.git`)).rejects.toMatchObject({ code: 'git-failed' });
});

test('a fetch that hangs ends when it is stopped, and leaves nothing', async () => {
  const lab = await transferLab();
  const host = await serve(() => lab.controller.abort());
  await expect(lab.add(`http://${host}/a.git`)).rejects.toMatchObject({ code: 'aborted' });
});

test('a setting that rewrites addresses reaches no protocol that runs programs', async () => {
  const lab = await transferLab();
  const ran = join(lab.home, 'ran');
  execFileSync('git', [
    'config',
    '--file',
    join(lab.home, '.gitconfig'),
    `url.ext::touch ${ran} .insteadOf`,
    'https://rewritten.example/',
  ]);
  await expect(lab.add('https://rewritten.example/a')).rejects.toMatchObject({
    message: expect.stringContaining('only https, ssh and file are spoken'),
  });
});

/** A port of this machine that nobody listens on. */
async function closedPort(): Promise<string> {
  const host = await serve(() => undefined);
  const server = servers.pop();
  await new Promise((closed) => server?.close(closed));
  return host;
}

test('a host that cannot be reached is named', async () => {
  const lab = await transferLab();
  const host = await closedPort();
  await expect(lab.add(`http://${host}/a.git`)).rejects.toMatchObject({
    code: 'git-failed',
    message: `cannot fetch http://${host}/a.git: see whether ${host} can be reached`,
  });
});

test('an address that a setting puts in the place of another is named without its password', async () => {
  const lab = await transferLab();
  const host = await closedPort();
  const setting = `url.http://me:hunter2@${host}/.insteadOf`;
  execFileSync('git', ['config', '--file', join(lab.home, '.gitconfig'), setting, `file://${lab.home}/`]);
  const error: unknown = await lab.add(`file://${lab.home}/a`).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'git-failed',
    message: `cannot fetch file://${lab.home}/a, in whose place a setting of git (insteadOf) asks http://${host}/a: see whether ${host} can be reached`,
  });
  expect(inspect(error, { depth: 9 })).not.toContain('hunter2');
});
