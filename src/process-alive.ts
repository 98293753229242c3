import { hasSystemCode } from './errors.ts';

/** Whether a process of this machine lives. A number may be another's by now: then it is taken for alive. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (hasSystemCode(error, 'ESRCH')) return false;
    // It lives and belongs to another user.
    if (hasSystemCode(error, 'EPERM')) return true;
    throw error;
  }
}
